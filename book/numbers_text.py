"""Numbers as a reader takes them in: four digits, and a prefix of the unit."""

import math

PREFIXES = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")]


def significant(value, digits=4):
    """0.00012346 as "0.0001235", 123456.0 as "123,456"."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if not math.isfinite(value):
        return str(value)
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    if 1e-4 <= abs(value) < 1e6:
        decimals = max(digits - 1 - math.floor(math.log10(abs(value))), 0)
        text = f"{value:,.{decimals}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.{digits}g}"


def with_unit(value, unit):
    """0.00191 s as "1.91 ms". Units that take no prefix, and counts, stay as they are."""
    if value == 0 or unit not in ("s", "B", "B/s", "FLOP/s", "FLOP"):
        return f"{significant(value)} {unit}".strip()
    for scale, prefix in PREFIXES:
        if abs(value) >= scale and (unit == "s" or scale >= 1) and not (unit == "s" and scale > 1):
            return f"{significant(value / scale, 3)} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def cell(value):
    """A cell of a report's table: text, a number, or a number with its unit."""
    if isinstance(value, dict):
        return with_unit(value["value"], value.get("unit", ""))
    if value is None:
        return "–"
    return significant(value) if isinstance(value, (int, float)) else str(value)
