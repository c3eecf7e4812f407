"""Addresses of the desk's pools."""

from django.urls import path

from assessments.views import pools

urlpatterns = [
    path("desk/campaigns/<slug:campaign>/pools/", pools.pool_list, name="desk-pools"),
    path("desk/campaigns/<slug:campaign>/pools/<slug:track>/new/", pools.new, name="desk-pool-new"),
    path("desk/campaigns/<slug:campaign>/pools/<int:pk>/", pools.pool, name="desk-pool"),
    path("desk/campaigns/<slug:campaign>/pools/<int:pk>/delete/", pools.delete, name="desk-pool-delete"),
    path("desk/campaigns/<slug:campaign>/pools/<int:pk>/pool.<str:form>", pools.download, name="desk-pool-file"),
]
