"""The benchmark's results as charts: for each row ours beside the best of the others, as a ratio with its interval."""

import html
import json
from math import log

from numbers_text import significant
from report_page import table_html

ROW, LEFT, RIGHT, WIDTH = 26, 250, 90, 860  # of the chart, in pixels


def runs(folder):
    """The results that are committed, the newest first."""
    documents = []
    for file in sorted(folder.glob("*.json")):
        document = json.loads(file.read_text())
        if document.get("schema", "").startswith("gridstride-bench/"):
            documents.append(document)
    return sorted(documents, key=lambda d: d["date"], reverse=True)


def best_of_ours(workload):
    """The fastest entrant of ours that has a ratio to a peer."""
    ours = [e for e in workload["entrants"] if e["role"] == "ours" and e.get("ratio_to_peer")]
    return min(ours, key=lambda e: e["seconds"]["median"], default=None)


def ratios(run):
    """(row, ratio, low, high): our time / that of the best peer on the same hardware."""
    rows = []
    for workload in run["workloads"]:
        if best := best_of_ours(workload):
            ratio = best["ratio_to_peer"]
            rows.append((workload["name"], ratio["median"], ratio["low"], ratio["high"]))
    return rows


def chart(rows):
    """An SVG with a bar for each row on a logarithmic scale. Left of 1, ours takes less time."""
    least, most = 0.05, 4
    span = WIDTH - LEFT - RIGHT

    def x(ratio):
        return LEFT + span * log(min(max(ratio, least), most) / least) / log(most / least)

    height = ROW * len(rows) + 44
    out = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="Our time / that of the best peer">'
    ]
    for tick in (0.1, 0.2, 0.5, 1, 2, 4):
        kind = "one" if tick == 1 else "tick"
        out.append(f'<line class="{kind}" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="20" y2="{height - 18}"/>')
        out.append(f'<text class="label" x="{x(tick):.1f}" y="{height - 4}" text-anchor="middle">{tick}</text>')
    out.append(f'<text class="label" x="{x(1) - 8:.1f}" y="13" text-anchor="end">ours takes less time</text>')
    out.append(f'<text class="label" x="{x(1) + 8:.1f}" y="13">more</text>')
    for k, (name, ratio, low, high) in enumerate(rows):
        y = 28 + ROW * k
        begin, end = sorted((x(1), x(ratio)))
        verdict = "less" if high < 1 else "more" if low > 1 else "even"
        out.append(f'<text class="name" x="{LEFT - 10}" y="{y + 11}" text-anchor="end">{html.escape(name)}</text>')
        out.append(f'<rect class="{verdict}" x="{begin:.1f}" y="{y}" width="{max(end - begin, 1):.1f}" height="15" rx="2"/>')
        out.append(f'<line class="interval" x1="{x(low):.1f}" x2="{x(high):.1f}" y1="{y + 7.5}" y2="{y + 7.5}"/>')
        out.append(f'<text class="value" x="{WIDTH - RIGHT + 12}" y="{y + 11}">{significant(ratio, 3)}</text>')
    return "".join(out) + "</svg>"


def bench_page(folder):
    """Markdown: a chart for each committed run."""
    parts = [
        "# Measurements",
        "Each bar is the median of our time divided by that of the best peer of the row, paired round by round, with its "
        "95 % interval. Every run also prints the machine's own limits: "
        "[how they are measured](bench/index.md). The rows `learning_slope` and `learning_network` compare a gradient "
        "with its own value, so they lie above 1 by what a derivative costs.",
    ]
    for run in runs(folder):
        rows = ratios(run)
        if not rows:
            continue
        machine = run["machine"]
        gpu = machine.get("gpu", "none")
        gpu = "" if gpu.startswith("none") else f", {gpu}"
        parts.append(f"## {machine['processor']}, {machine['cores']} cores{gpu}, {run['date'][:10]}")
        parts.append(f"`{run['command']}`, commit `{run['commit']}`")
        parts.append(f'<div class="scrolls">{chart(rows)}</div>')
        table = table_html(["row", "ours / best peer", "from", "to"], [list(row) for row in rows])
        parts.append(f'<details class="numbers"><summary>The numbers</summary>{table}</details>')
    return "\n\n".join(parts) + "\n"
