"""What is highlighted in a document and what runs return of it, laid over each other: numbers, HTML and SVG."""

from limelight.overlay.judging import judgement_of
from limelight.overlay.laying import Judgement, Layer, Overlay, Result, Segment, results_of
from limelight.overlay.lists_html import outline_html, outline_words, results_html, stops_html
from limelight.overlay.numbers import Numbers, Sentence, numbers_of, sentence
from limelight.overlay.strip import slices_svg, strip_svg
from limelight.overlay.text_html import LaidText, Stop, text_html

__all__ = [
    "Judgement",
    "LaidText",
    "Layer",
    "Numbers",
    "Overlay",
    "Result",
    "Segment",
    "Sentence",
    "Stop",
    "judgement_of",
    "numbers_of",
    "outline_html",
    "outline_words",
    "results_html",
    "results_of",
    "sentence",
    "slices_svg",
    "stops_html",
    "strip_svg",
    "text_html",
]
