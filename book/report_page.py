"""A lesson's report, the document that `run --json` prints, as a section of its page."""

import csv
import html
import io

from numbers_text import cell, significant

PLOTS = {"xy plot", "bar plot", "heat map", "diagram", "timeline", "access picture"}


def slug(title):
    """The name that `--plots` gives the plot of that title, without the lesson's; see workbook/picture/."""
    out = ""
    for c in title:
        lower = c.lower() if c.isascii() else c
        if lower.isascii() and lower.isalnum():
            out += lower
        elif out and out[-1] != "-":
            out += "-"
    return out[:60].rstrip("-") or "plot"


def plots_of(report):
    return [item for item in report["items"] if item["kind"] in PLOTS]


def plot_names(report):
    """The files of a report's plots, in order, without their endings."""
    names, taken = [], set()
    for plot in plots_of(report):
        base = name = f"{report['lesson']:02}_{report['name']}-{slug(plot.get('title', ''))}"
        count = 2
        while name in taken:
            name, count = f"{base}-{count}", count + 1
        taken.add(name)
        names.append(name)
    return names


def table_html(columns, rows, title=""):
    """Numbers are set to the right; what follows the first row's type decides for a column."""
    numeric = [
        bool(rows) and all(isinstance(row[k], (int, float, dict)) or row[k] is None for row in rows if k < len(row))
        for k in range(len(columns))
    ]
    align = [' class="number"' if n else "" for n in numeric]
    head = "".join(f"<th{a}>{html.escape(c)}</th>" for c, a in zip(columns, align))
    body = "".join(
        "<tr>" + "".join(f"<td{a}>{html.escape(cell(v))}</td>" for v, a in zip(row, align)) + "</tr>" for row in rows
    )
    caption = f"<caption>{html.escape(title)}</caption>" if title else ""
    return f'<div class="scrolls"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def title_of(axis):
    return f"{axis['label']} ({axis['unit']})" if axis.get("unit") else axis["label"]


def numbers_of(plot):
    """The columns and rows behind a plot, or nothing where its picture says all."""
    if plot["kind"] == "xy plot":
        columns = ["series", title_of(plot["x"]), title_of(plot["y"])]
        return columns, [[s["name"], x, y] for s in plot["series"] for x, y in zip(s["x"], s["y"])]
    if plot["kind"] == "bar plot":
        columns = [plot.get("category_label") or "", *(g["name"] or title_of(plot["value"]) for g in plot["groups"])]
        return columns, [
            [category, *(g["values"][k] for g in plot["groups"])] for k, category in enumerate(plot["categories"])
        ]
    if plot["kind"] == "timeline":
        columns = ["row", "work", f"from ({plot['time']['unit']})", f"to ({plot['time']['unit']})"]
        return columns, [
            [plot["rows"][b["row"]], plot["groups"][b["group"]], b["start"], b["stop"]] for b in plot["bars"]
        ]
    return None


def csv_text(columns, rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


SHOWN_ROWS = 60  # of the numbers behind a plot; the file has all


def plot_html(plot, name, files):
    """The picture, and below it the numbers to unfold. `files` gets the CSV file that goes beside the page."""
    title = html.escape(plot.get("title", ""))
    figure = (
        f'<figure class="plot"><a href="{name}.svg" class="zoom"><img src="{name}.svg" alt="{title}" loading="lazy"></a>'
        f"</figure>"
    )
    numbers = numbers_of(plot)
    if numbers is None or not numbers[1]:
        return figure
    columns, rows = numbers
    files[f"{name}.csv"] = csv_text(columns, rows)
    shown = table_html(columns, rows[:SHOWN_ROWS])
    more = f"The first {SHOWN_ROWS} of {len(rows):,}. " if len(rows) > SHOWN_ROWS else ""
    return (
        f'{figure}<details class="numbers"><summary>The numbers</summary>{shown}'
        f'<p>{more}<a href="{name}.csv" download>All as a CSV file</a></p></details>'
    )


def check_html(check):
    mark, word = ("✓", "holds") if check["passed"] else ("✗", "fails")
    details = ", ".join(f"{k}: {check[k]}" for k in ("expected", "got") if check.get(k))
    return (
        f'<p class="check {word}"><span aria-label="{word}">{mark}</span> {html.escape(check["name"])}'
        f'{f" <small>{html.escape(details)}</small>" if details else ""}</p>'
    )


LEDGER = [
    ("copies_to_device", "copies to the device", "bytes_to_device"),
    ("copies_to_host", "copies to the host", "bytes_to_host"),
    ("copies_within_device", "copies within the device", "bytes_within_device"),
    ("launches", "launches", None),
    ("allocations", "allocations", "allocated_bytes"),
    ("synchronizations", "synchronisations", None),
]


def ledger_html(account):
    rows = [
        [text, account[key], {"value": account[size], "unit": "B"} if size else None]
        for key, text, size in LEDGER
        if account.get(key)
    ]
    return table_html(["", "count", "size"], rows, f"The ledger of {account['name']}")


def prediction_html(asked):
    return (
        f'<p class="prediction"><strong>Guess first.</strong> {html.escape(asked["question"])}</p>'
        f"<details><summary>Here it was</summary><p>{significant(asked['measured'], 3)} {html.escape(asked['unit'])}</p>"
        "</details>"
    )


def report_html(report, files):
    """The report as HTML, and into `files` what lies beside the page, by name."""
    names = iter(plot_names(report))
    out = []
    for item in report["items"]:
        kind = item["kind"]
        if kind == "heading":
            out.append(f'<h4>{html.escape(item["text"])}</h4>')
        elif kind == "paragraph":
            out.append(f'<p>{html.escape(item["text"])}</p>')
        elif kind == "table":
            columns = [f"{c['name']} ({c['unit']})" if c["unit"] else c["name"] for c in item["columns"]]
            out.append(table_html(columns, item["rows"], item["title"]))
        elif kind == "check":
            out.append(check_html(item))
        elif kind == "timing":
            out.append(f'<p class="timing">{html.escape(item["name"])}: {html.escape(item["text"])}</p>')
        elif kind == "ledger":
            out.append(ledger_html(item))
        elif kind == "prediction":
            out.append(prediction_html(item))
        elif kind in PLOTS:
            out.append(plot_html(item, next(names), files))
        elif kind != "inspection":
            raise ValueError(f"a report has an item of kind '{kind}', which the book can't show")
    return "\n".join(out)
