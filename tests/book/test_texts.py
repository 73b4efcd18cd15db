"""The book's texts: code, links, numbers, names of plots, colours."""

import colorsys
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book"))

from bench_page import chart, ratios
from inspection_page import findings_by_line, findings_html, program_html, wasteful_line
from course import Course
from lesson_page import hints
from lesson_results import Results
from markdown_text import Links, language_of, with_fences
from numbers_text import cell, significant, with_unit
from print_page import printed_page
from report_page import csv_text, numbers_of, plot_names, report_html


class Markdown(unittest.TestCase):
    def test_indented_code_becomes_fenced_with_its_language(self):
        text = "So:\n\n    auto x = f(y);\n\n    g(x);\n\nand\n\n    $ ./gridstride run 06\n"
        self.assertEqual(
            with_fences(text),
            "So:\n\n```cpp\nauto x = f(y);\n\ng(x);\n```\n\nand\n\n```console\n$ ./gridstride run 06\n```\n",
        )
        self.assertEqual(language_of("what   how much\n────   ────────\nfor ;"), "text")

    def test_code_within_fences_and_lists_is_left(self):
        for text in ("```\na\n\n    b\n```\n", "- one\n\n    more of it\n\n    and more\n"):
            self.assertEqual(with_fences(text), text)

    def test_a_fence_in_the_code_is_no_end(self):
        self.assertIn("````text", with_fences("\n    ```\n    x\n    ```\n"))

    def test_links_lead_to_pages_of_the_book(self):
        source, page = ROOT / "lessons/06_gaussian_pdf/README.md", Path("/site/lessons/06_gaussian_pdf/index.md")
        links = Links(ROOT, {ROOT / "lessons/07_device_functions/README.md": Path("/site/lessons/07_device_functions/index.md"),
                             ROOT / "runtime/README.md": Path("/site/runtime/index.md")})  # fmt: skip

        def shown(text):
            return links.rewritten(text, source, page)

        self.assertEqual(shown("[07](../07_device_functions/README.md#try)"), "[07](../07_device_functions/index.md#try)")
        self.assertEqual(shown("[gs](../../runtime)"), "[gs](../../runtime/index.md)")
        self.assertEqual(shown("[the program](lesson.cpp)"), "the program (`lessons/06_gaussian_pdf/lesson.cpp`)")
        self.assertEqual(shown("[`lesson.cpp`](lesson.cpp)"), "`lessons/06_gaussian_pdf/lesson.cpp`")
        for same in ("[a](https://example.org/x)", "[a](#here)", "![a picture](relative_error.png)"):
            self.assertEqual(shown(same), same)

    def test_each_hint_unfolds_alone(self):
        text = hints("# Hints\n\n## First\n\nLook.\n\n## Second\n\n    auto x = 1;\n")
        self.assertEqual(
            text,
            '??? note "Hint: First"\n\n    Look.\n\n??? note "Hint: Second"\n\n    ```cpp\n    auto x = 1;\n    ```',
        )


class OnPaper(unittest.TestCase):
    def test_hints_are_left_out_and_all_else_is_unfolded_in_one_page(self):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            for name, text in (
                ("index.html", '<h1 id="a">Start</h1><a href="lessons/06/index.html#try">06</a><a href="https://x.org/">x</a>'),
                ("lessons/06/index.html", '<img src="p.svg"><details class="note">\n<summary>Hint: One</summary>secret</details>'
                                          "<details><summary>The numbers</summary>42</details>"),
            ):  # fmt: skip
                (site / name).parent.mkdir(parents=True, exist_ok=True)
                (site / name).write_text(f'<nav>menu</nav><article class="c">{text}</article>')
            page = printed_page(site, [{"Start": "index.md"}, {"Part": [{"06": "lessons/06/index.md"}]}])
        self.assertNotIn("menu", page)
        self.assertNotIn("secret", page)
        self.assertIn("<details open><summary>The numbers</summary>42", page)
        self.assertIn('<img src="lessons/06/p.svg">', page)
        self.assertIn('<a href="#page-lessons-06-index-html">06</a><a href="https://x.org/">', page)
        self.assertIn('<section id="page-lessons-06-index-html">', page)


class LessonResults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        program = self.root / "lessons/07_toy/lesson.cpp"
        program.parent.mkdir(parents=True)
        program.write_text("int main() {}")
        (program.parent / "README.md").write_text("# 07 Toy\n")
        (self.root / "course.json").write_text('{"name": "Toys", "parts": [{"title": "All", "first": 0, "last": 9}]}')
        self.lessons = Course(self.root).lessons

    def tearDown(self):
        self.folder.cleanup()

    def answers(self, script):
        launcher = self.root / "gridstride"
        launcher.write_text(f"#!/bin/sh\necho run >> {self.root}/runs\n{script}\n")
        launcher.chmod(0o755)
        results = Results(self.root, self.root / "results", self.lessons)
        return results.documents(self.lessons[0]), results.problems, (self.root / "runs").read_text().count("run")

    def test_what_a_lesson_printed_is_kept_until_its_program_changes(self):
        script = """echo '{"items": [{"kind": "inspection", "inspection": {"lines": []}}]}'"""
        documents, problems, runs = self.answers(script)
        self.assertEqual((documents[0]["items"][0]["kind"], documents[2], problems, runs), ("inspection", None, [], 2))
        self.assertEqual(self.answers(script)[2], 2)
        os.utime(self.lessons[0].program, (1, 1))
        self.assertEqual(self.answers(script)[2], 4)

    def test_a_run_that_fails_is_told_and_tried_again(self):
        documents, problems, runs = self.answers("echo 'out of paper' >&2; exit 3")
        self.assertEqual((documents, runs), ((None, None, None), 2))
        self.assertEqual(problems[0], "run 07 ended with status 3, and its results are left out: out of paper")
        self.assertEqual(self.answers("exit 3")[2], 4)

    def test_other_lessons_have_no_results(self):
        self.assertEqual(Results(self.root, self.root, []).documents(self.lessons[0]), (None, None, None))


class Numbers(unittest.TestCase):
    def test_four_digits_and_prefixes(self):
        for value, text in ((0, "0"), (1234567, "1,234,567"), (0.00012346, "0.0001235"), (1.5, "1.5"), (123456.78, "123,457"),
                            (1e-12, "1e-12"), (float("nan"), "nan"), (True, "True"), (-2.0, "-2")):  # fmt: skip
            self.assertEqual(significant(value), text)
        for value, unit, text in ((0.001916904, "s", "1.92 ms"), (12, "s", "12 s"), (8e6, "B", "8 MB"), (0, "s", "0 s"),
                                  (7.8e9, "FLOP/s", "7.8 GFLOP/s"), (5, "darts", "5 darts"), (3e-9, "s", "3 ns")):  # fmt: skip
            self.assertEqual(with_unit(value, unit), text)
        self.assertEqual(cell(None), "–")
        self.assertEqual(cell({"value": 0.002, "unit": "s"}), "2 ms")


def report(*items):
    return {"lesson": 6, "name": "toy", "device": "engine", "items": list(items)}


class Reports(unittest.TestCase):
    plot = {"kind": "xy plot", "title": "A <b>", "x": {"label": "n", "unit": ""}, "y": {"label": "time", "unit": "ms"},
            "series": [{"name": "ours", "x": [1, 2], "y": [0.5, None]}]}  # fmt: skip

    def test_every_kind_of_item_is_shown(self):
        files = {}
        shown = report_html(
            report(
                {"kind": "heading", "text": "H & H"},
                {"kind": "paragraph", "text": "a < b"},
                {"kind": "table", "title": "T", "columns": [{"name": "c", "unit": "s"}], "rows": [[1.5]]},
                {"kind": "check", "name": "right", "passed": False, "expected": "0", "got": "1"},
                {"kind": "timing", "name": "loop", "text": "1 ms"},
                {"kind": "ledger", "name": "all", "copies_to_device": 2, "bytes_to_device": 8000, "launches": 0},
                {"kind": "prediction", "question": "How many?", "measured": 3.21, "unit": "times"},
                self.plot,
            ),
            files,
        )
        for text in ("<h4>H &amp; H</h4>", "a &lt; b", "<th class=\"number\">c (s)</th>", "✗", "expected: 0, got: 1", "1 ms",
                     "copies to the device", "8 kB", "How many?", "3.21 times", 'src="06_toy-a-b.svg"'):  # fmt: skip
            self.assertIn(text, shown)
        self.assertNotIn("launches", shown)
        self.assertEqual(files, {"06_toy-a-b.csv": "series,n,time (ms)\nours,1,0.5\nours,2,\n"})

    def test_an_unknown_kind_of_item_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "'song'"):
            report_html(report({"kind": "song"}), {})

    def test_plots_of_the_same_title_have_files_of_their_own(self):
        self.assertEqual(plot_names(report(self.plot, {"kind": "heading"}, self.plot)), ["06_toy-a-b", "06_toy-a-b-2"])

    def test_numbers_behind_bars_and_timelines(self):
        bars = {"kind": "bar plot", "categories": ["a", "b"], "value": {"label": "time", "unit": "s"},
                "groups": [{"name": "", "values": [1, 2]}]}  # fmt: skip
        self.assertEqual(csv_text(*numbers_of(bars)), ",time (s)\na,1\nb,2\n")
        line = {"kind": "timeline", "time": {"unit": "ms"}, "rows": ["r"], "groups": ["copy"],
                "bars": [{"row": 0, "group": 0, "start": 1, "stop": 2}]}  # fmt: skip
        self.assertEqual(numbers_of(line)[1], [["r", "copy", 1, 2]])
        self.assertIsNone(numbers_of({"kind": "heat map"}))

    def test_names_of_plots_are_those_that_a_lesson_writes(self):
        program = ROOT / "build/release/lessons/12_reduce"
        if not program.exists():
            self.skipTest("lesson 12 isn't built")
        with tempfile.TemporaryDirectory() as folder:
            out = subprocess.run([program, "--json", "--size", "1000", "--plots", folder], capture_output=True, check=True).stdout
            written = {f.removesuffix(".svg") for f in os.listdir(folder) if f.endswith(".svg")}
        names = plot_names(json.loads(out))
        self.assertGreater(len(names), 1)
        self.assertEqual(set(names), written)


class Inspections(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = Path(self.folder.name) / "lesson.cpp"
        self.program.write_text("int a;\nint b = a < 1;\n\nint c;\n")
        place = {"file": str(self.program), "line": 2}
        line = {"kernel": "k", "place": place, "memory": "global", "access": "read", "expression": "x[i]", "array": "x",
                "requests": 1, "active_lanes": 32, "sectors": 32, "ideal_sectors": 4, "wavefronts": 0, "ideal_wavefronts": 0}  # fmt: skip
        self.inspection = {
            "findings": [{"place": place, "instrument": "racecheck", "finding": "race_in_block", "count": 3,
                          "meaning": "Thread 0 < thread 1.", "hint": "Wait."}],
            "lines": [line, {**line, "place": {"file": "/else/other.h", "line": 9}, "sectors": 99},
                      {**line, "place": {"file": str(self.program), "line": 4}, "sectors": 5}],
        }  # fmt: skip

    def tearDown(self):
        self.folder.cleanup()

    @unittest.skipUnless(importlib.util.find_spec("pygments"), "Pygments isn't installed")
    def test_a_finding_marks_its_line(self):
        shown = program_html(self.program, findings_by_line(self.inspection, self.program))
        self.assertEqual(re.findall(r'id="line-(\d+)"( data-finding="[^"]*")?', shown),
                         [("1", ""), ("2", ' data-finding="race in block"'), ("3", ""), ("4", "")])  # fmt: skip
        self.assertIn("&lt;", shown)

    def test_findings_link_to_their_lines(self):
        shown = findings_html(self.inspection, self.program)
        self.assertIn('<a href="#line-2">line 2</a>: Thread 0 &lt; thread 1. (3 times)', shown)
        self.assertIn("found nothing", findings_html({"findings": []}, self.program))

    def test_the_line_that_wastes_most_is_drawn(self):
        self.assertEqual(wasteful_line(self.inspection, self.program), 2)
        self.assertIsNone(wasteful_line({"lines": self.inspection["lines"][2:]}, self.program))


class Charts(unittest.TestCase):
    def test_bars_begin_at_one_and_show_who_is_faster(self):
        ours = {"role": "ours", "seconds": {"median": 1}, "ratio_to_peer": {"median": 0.5, "low": 0.4, "high": 0.6}}
        slower = {"role": "ours", "seconds": {"median": 2}, "ratio_to_peer": {"median": 1, "low": 0.9, "high": 1.1}}
        run = {"workloads": [{"name": "add", "entrants": [slower, ours, {"role": "peer", "seconds": {"median": 2}}]},
                             {"name": "no_peer", "entrants": [{"role": "ours", "seconds": {"median": 1}}]}]}  # fmt: skip
        self.assertEqual(ratios(run), [("add", 0.5, 0.4, 0.6)])
        for row, verdict in ((("a", 0.5, 0.4, 0.6), "less"), (("a", 2, 1.5, 3), "more"), (("a", 1.1, 0.9, 1.2), "even")):
            self.assertIn(f'class="{verdict}"', chart([row]))


def luminance(red, green, blue):
    """Of a colour with parts from 0 to 1: WCAG 2.1, relative luminance."""
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


class Contrast(unittest.TestCase):
    def test_the_books_own_colours_are_legible_in_both_schemes(self):
        css = (ROOT / "book/theme/assets/book.css").read_text()
        papers = [(1, 1, 1), colorsys.hls_to_rgb(232 / 360, 0.21, 0.15)]  # the theme's light and dark ones
        blocks = [re.search(r":root \{(.*?)\}", css, re.DOTALL), re.search(r'"slate"\] \{(.*?)\}', css, re.DOTALL)]
        for paper, block in zip(papers, blocks):
            colours = re.findall(r"--book-(good|bad|even): #(\w\w)(\w\w)(\w\w);", block.group(1))
            self.assertEqual(len(colours), 3)
            for name, *parts in colours:
                light, dark = sorted((luminance(*(int(p, 16) / 255 for p in parts)), luminance(*paper)), reverse=True)
                self.assertGreaterEqual((light + 0.05) / (dark + 0.05), 4.5, name)


if __name__ == "__main__":
    unittest.main()
