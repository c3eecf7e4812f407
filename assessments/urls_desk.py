"""Addresses of the organiser's desk that need assessments: pools, and differences between versions."""

from django.urls import path

from assessments.views.desk import differences, pools
from campaign.urls_desk import DESK

POOL = f"{DESK}/pools/<int:pk>"

urlpatterns = [
    path(f"{DESK}/<slug:track>/differences/", differences.differences, name="desk-differences"),
    path(f"{DESK}/<slug:track>/differences.csv", differences.differences_csv, name="desk-differences-csv"),
    path(f"{DESK}/pools/", pools.pool_list, name="desk-pools"),
    path(f"{DESK}/pools/<slug:track>/new/", pools.new, name="desk-pool-new"),
    path(f"{POOL}/", pools.pool, name="desk-pool"),
    path(f"{POOL}/delete/", pools.delete, name="desk-pool-delete"),
    path(f"{POOL}/pool.<str:file_format>", pools.download, name="desk-pool-file"),
]
