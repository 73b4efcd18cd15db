"""Runs lessons and keeps what they print, so that only a lesson that was built anew runs again."""

import json
import re
import shutil
import subprocess

from inspection_page import inspection_in, wasteful_line


class Results:
    """Reports, inspections and pictures of `lessons`, in a folder for each. Of others there are none."""

    def __init__(self, root, folder, lessons, timeout=300):
        self.root, self.folder, self.lessons, self.timeout = root, folder, lessons, timeout
        self.problems = []  # a sentence for each run that failed

    def documents(self, lesson):
        """Three documents, of which each may be missing: the report, the inspection's, and that of an access picture.
        Plots lie as SVG files in `folder_of(lesson)`: plots/ and accesses/."""
        if lesson not in self.lessons:
            return None, None, None
        if self.stale(lesson):
            self.run_all(lesson)
        return tuple(self.document(lesson, name) for name in ("report.json", "inspection.json", "accesses.json"))

    def run_all(self, lesson):
        """Runs what a lesson's page shows. Where something failed, the next book tries again."""
        folder, number, before = self.folder_of(lesson), f"{lesson.number:02}", len(self.problems)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        # An inspection draws the lesson's plots, too, of smaller sizes: pictures go into folders of their own.
        self.run(lesson, "report.json", "run", number, "--plots", str(folder / "plots"))
        self.run(lesson, "inspection.json", "inspect", number)
        inspected = self.document(lesson, "inspection.json")
        if inspected and (line := self.line_to_draw(lesson, inspected)):
            drawing = ["--line", str(line), "--plots", str(folder / "accesses")]
            self.run(lesson, "accesses.json", "inspect", number, *drawing)
        if len(self.problems) == before:
            (folder / "stamp").write_text(self.stamp(lesson))

    def folder_of(self, lesson):
        return self.folder / lesson.name

    def line_to_draw(self, lesson, inspected):
        """The line that the lesson's text draws, else that which wastes most."""
        named = re.search(rf"inspect {lesson.number:02} --line (\d+)", lesson.text.read_text())
        return int(named.group(1)) if named else wasteful_line(inspection_in(inspected), lesson.program)

    def stamp(self, lesson):
        built = self.root / "build/release/lessons" / lesson.name
        moment = built.stat().st_mtime_ns if built.exists() else 0
        return f"{moment} {lesson.program.stat().st_mtime_ns}"

    def stale(self, lesson):
        stamp = self.folder_of(lesson) / "stamp"
        return not stamp.exists() or stamp.read_text() != self.stamp(lesson)

    def run(self, lesson, name, *words):
        folder = self.folder_of(lesson)
        command = [str(self.root / "gridstride"), *words, "--json"]
        try:
            done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, timeout=self.timeout)
        except subprocess.TimeoutExpired:
            self.problems.append(f"{' '.join(words[:2])} took more than {self.timeout} s, and its results are left out.")
            return
        # Status 1: a check failed, or something was found, which is what some lessons are about.
        if done.returncode in (0, 1) and done.stdout.startswith("{"):
            (folder / name).write_text(done.stdout)
            return
        reason = (done.stderr.strip() or "it printed nothing").splitlines()[-1]
        self.problems.append(
            f"{' '.join(words[:2])} ended with status {done.returncode}, and its results are left out: {reason}"
        )

    def document(self, lesson, name):
        file = self.folder_of(lesson) / name
        return json.loads(file.read_text()) if file.exists() else None

