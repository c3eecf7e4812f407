"""The REST API, put together: routers, the form of its errors, and the page that documents it."""

from ninja import NinjaAPI
from ninja.openapi.docs import Swagger

from campaign.api.authentication import ApiToken, OptionalApiToken
from campaign.api.campaigns import router as campaigns
from campaign.api.problems import CONTENT_TYPE, handlers
from evaluation.api.boards import router as boards
from evaluation.api.runs import router as runs

PROBLEM = {
    "description": "Something is wrong: problem details after RFC 9457.",
    "content": {
        CONTENT_TYPE: {
            "schema": {
                "type": "object",
                "required": ["type", "title", "status", "detail"],
                "properties": {
                    "type": {"type": "string"},
                    "title": {"type": "string"},
                    "status": {"type": "integer"},
                    "detail": {"type": "string", "description": "A sentence that says what is wrong."},
                    "errors": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "field": {"type": ["string", "null"]},
                                "line": {"type": ["integer", "null"]},
                                "message": {"type": "string"},
                            },
                        },
                    },
                },
            }
        }
    },
}


class LimelightApi(NinjaAPI):
    """Ninja's API with one form of error, which every operation documents."""

    def set_default_exception_handlers(self):
        """Answer every exception with problem details."""
        for exception, handler in handlers().items():
            self.add_exception_handler(exception, handler)

    def get_openapi_schema(self, **options):
        """Add to each operation what it answers when something is wrong, and whether it can do without a token."""
        schema = super().get_openapi_schema(**options)
        schema["components"]["securitySchemes"].pop(OptionalApiToken.__name__)
        for operations in schema["paths"].values():
            for operation in operations.values():
                operation["responses"]["default"] = PROBLEM
                if operation["security"] == [{OptionalApiToken.__name__: []}]:
                    operation["security"] = [{ApiToken.__name__: []}, {}]
        return schema

    def get_openapi_operation_id(self, operation):
        """Name operations by their functions, for those who generate clients."""
        return operation.view_func.__name__


api = LimelightApi(
    title="Limelight API",
    version="1",
    description="Submit runs, follow them, and read boards and scores by program. The guide is at /api/.",
    urls_namespace="api-v1",
    docs=Swagger({"persistAuthorization": False, "tryItOutEnabled": False}),
)
for _router in (campaigns, runs, boards):
    api.add_router("", _router)
