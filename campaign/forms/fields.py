"""What the fields of all forms share."""

MAY_HOLD_MARKDOWN = (
    "Markdown: *emphasis*, `code`, lists, # headings and [links](https://example.org); no HTML and no pictures."
)
"""What a form says below a description."""


def describe_fields(form):
    """Tie each field to its help, for those who hear the page."""
    for name, field in form.fields.items():
        if field.help_text:
            field.widget.attrs.setdefault("aria-describedby", f"id_{name}_help")
