"""How good each answer is: editions of a task's board, evaluations of runs, and their scores."""

from evaluation.models.analyses import Analysis
from evaluation.models.differences import Difference
from evaluation.models.editions import Edition
from evaluation.models.evaluations import Curve, Evaluation, LateFindings, Score

__all__ = ["Analysis", "Curve", "Difference", "Edition", "Evaluation", "LateFindings", "Score"]
