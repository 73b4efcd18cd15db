"""A lesson's page: its text, its program, the results of this machine's run, what the instruments say, its exercises."""

import html
import textwrap

from inspection_page import counters_html, findings_by_line, findings_html, inspection_in, program_html
from markdown_text import fenced, with_fences
from report_page import plot_html, plot_names, plots_of, report_html


def unfold(summary, content):
    """Markdown that a reader unfolds."""
    title = summary.replace('"', "”")
    return f'??? note "{title}"\n\n' + textwrap.indent(content, "    ")


def hints(text):
    """Each heading of a hints file is a hint of its own to unfold."""
    parts = []
    for part in with_fences(text).split("\n## ")[1:]:
        heading, _, content = part.partition("\n")
        parts.append(unfold(f"Hint: {heading}", content.strip()))
    return "\n\n".join(parts)


def exercise_section(exercise):
    command = f"./gridstride check {exercise.id}"
    text = [
        f"### {exercise.title}",
        fenced(command, "console"),
        unfold("The file that you edit", fenced(exercise.program.read_text(), "cpp")),
    ]
    if exercise.hints.exists():
        text.append(hints(exercise.hints.read_text()))
    return "\n\n".join(text)


def lesson_page(lesson, text, results, files):
    """Markdown. `text` is the lesson's own with links that hold in the book; `files` gets what lies beside the page: by
    name, its text or the file to copy."""
    report, inspected, accesses = results.documents(lesson)
    inspection = inspection_in(inspected) if inspected else None
    found = findings_by_line(inspection, lesson.program) if inspection else {}
    parts = [with_fences(text)]
    program = program_html(lesson.program, found)
    parts += ["## The program", f"<details><summary>lesson.cpp</summary>{program}</details>"]
    if report:
        plots = results.folder_of(lesson) / "plots"
        files.update({f"{name}.svg": plots / f"{name}.svg" for name in plot_names(report)})
        parts += [
            "## A run on this machine",
            f"`./gridstride run {lesson.number:02}`, {html.escape(report['device'])}. Times vary from run to run.",
            f'<div class="report">\n{report_html(report, files)}\n</div>',
        ]
    if inspection:
        parts += [
            "## What the instruments say",
            f"`./gridstride inspect {lesson.number:02}` runs the lesson with small sizes and looks at every access.",
            f'<div class="report">\n{findings_html(inspection, lesson.program)}\n'
            f"{counters_html(inspection, lesson.program)}\n{access_pictures(accesses, results, lesson, files)}\n</div>",
        ]
    if lesson.exercises:
        parts.append("## Exercises")
        parts += [exercise_section(e) for e in lesson.exercises]
    return "\n\n".join(parts) + "\n"


def access_pictures(accesses, results, lesson, files):
    """The picture of a warp's accesses in one line."""
    if not accesses:
        return ""
    out = []
    for plot, name in zip(plots_of(accesses), plot_names(accesses)):
        if plot["kind"] == "access picture":
            files[f"{name}.svg"] = results.folder_of(lesson) / "accesses" / f"{name}.svg"
            out.append(plot_html(plot, name, files))
    return "\n".join(out)
