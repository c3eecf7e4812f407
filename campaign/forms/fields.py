"""What the fields of all forms share."""


def describe_fields(form):
    """Tie each field to its help, for those who hear the page."""
    for name, field in form.fields.items():
        if field.help_text:
            field.widget.attrs.setdefault("aria-describedby", f"id_{name}_help")
