"""What `inspect` finds in a lesson: the program with its findings at their lines, and the counters of each line."""

import html
from pathlib import Path

from report_page import table_html


def inspection_in(report):
    """The inspection in a report that `inspect --json` prints."""
    return next(item["inspection"] for item in report["items"] if item["kind"] == "inspection")


def findings_by_line(inspection, program):
    """Line: its findings, for those that lie in the lesson's own program."""
    found = {}
    for finding in inspection["findings"]:
        place = finding.get("place", {})
        if Path(place.get("file", "")).name == program.name:
            found.setdefault(place["line"], []).append(finding)
    return found


def program_html(program, found):
    """The program in colours, a place to link to for each line, and a mark where something was found."""
    # Comes with MkDocs, without which a wrong option still has to be refused.
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import CppLexer

    code = highlight(program.read_text(), CppLexer(stripnl=False), HtmlFormatter(nowrap=True)).rstrip("\n")
    lines = []
    for number, line in enumerate(code.split("\n"), 1):
        marks = ", ".join(dict.fromkeys(f["finding"].replace("_", " ") for f in found.get(number, [])))
        mark = f' data-finding="{html.escape(marks)}"' if marks else ""
        lines.append(f'<span class="line{" found" if marks else ""}" id="line-{number}"{mark}>{line}\n</span>')
    return '<div class="highlight program"><pre><code>' + "".join(lines) + "</code></pre></div>"


def place_link(place, program):
    if Path(place["file"]).name == program.name:
        return f'<a href="#line-{place["line"]}">line {place["line"]}</a>'
    return html.escape(f"{Path(place['file']).name}:{place['line']}")


def findings_html(inspection, program):
    if not inspection["findings"]:
        return "<p>The instruments found nothing to mend.</p>"
    items = []
    for finding in inspection["findings"]:
        place = f"{place_link(finding['place'], program)}: " if finding.get("place") else ""
        times = f" ({finding['count']:,} times)" if finding.get("count", 0) > 1 else ""
        items.append(
            f'<li><strong>{html.escape(finding["instrument"])}</strong>, {place}{html.escape(finding["meaning"])}{times}'
            f'<br><em>{html.escape(finding["hint"])}</em></li>'
        )
    return f'<ul class="findings">{"".join(items)}</ul>'


def counted_lines(inspection):
    """The counters that say something: what a warp's requests cost, and what they could cost."""
    for line in inspection["lines"]:
        if line["requests"]:
            yield line


def cost(line):
    return (line["sectors"], line["ideal_sectors"]) if line["memory"] == "global" else (
        line["wavefronts"],
        line["ideal_wavefronts"],
    )


def counters_html(inspection, program):
    rows = []
    for line in counted_lines(inspection):
        moved, ideal = cost(line)
        rows.append(
            [
                line["kernel"],
                line["place"]["line"] if Path(line["place"]["file"]).name == program.name else Path(line["place"]["file"]).name,
                f"{line['access']} of {line['expression'] or line['array']}",
                line["memory"],
                line["requests"],
                round(line["active_lanes"], 1),
                moved,
                ideal,
            ]
        )
    if not rows:
        return ""
    columns = ["kernel", "line", "access", "memory", "requests", "active lanes", "sectors or wavefronts", "of them needed"]
    return (
        "<details><summary>What each line costs</summary>"
        "<p>Global memory moves in sectors of 32 bytes; shared memory answers in wavefronts.</p>"
        + table_html(columns, rows)
        + "</details>"
    )


def wasteful_line(inspection, program):
    """The line of the program that moves the most beyond what it needs: its warp's accesses are worth a picture."""
    wasted = [
        (cost(line)[0] - cost(line)[1], line["place"]["line"])
        for line in counted_lines(inspection)
        if Path(line["place"]["file"]).name == program.name and cost(line)[0] > 1.5 * cost(line)[1]
    ]
    return max(wasted)[1] if wasted else None
