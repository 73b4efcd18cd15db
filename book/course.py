"""The course as it lies in its folders: parts, lessons, and the texts of each."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Exercise:
    """A file that the learner edits, with the hints that belong to it."""

    id: str  # as `check` takes it: "06", "17w"
    title: str
    folder: Path

    @property
    def program(self):
        return self.folder / "exercise.cpp"

    @property
    def hints(self):
        return self.folder / "hints.md"


@dataclass(frozen=True)
class Lesson:
    number: int
    folder: Path

    @property
    def name(self):
        return self.folder.name

    @property
    def text(self):
        return self.folder / "README.md"

    @property
    def program(self):
        return self.folder / "lesson.cpp"

    @property
    def title(self):
        """The first heading of its text: "06 What limits the speed"."""
        return self.text.read_text().splitlines()[0].removeprefix("# ")

    @property
    def exercises(self):
        """The warm-up first, as learners meet it."""
        found = [
            Exercise(f"{self.number:02}w", "Warm-up", self.folder / "warm_up"),
            Exercise(f"{self.number:02}", "Exercise", self.folder),
        ]
        return [e for e in found if e.program.exists()]


@dataclass(frozen=True)
class Part:
    title: str
    lessons: list


class Course:
    """All parts of the course at `root`, which holds course.json and lessons/."""

    def __init__(self, root):
        self.root = Path(root)
        about = json.loads((self.root / "course.json").read_text())
        self.name = about["name"]
        lessons = [
            Lesson(int(text.parent.name[:2]), text.parent)
            for text in sorted(self.root.glob("lessons/[0-9][0-9]_*/README.md"))
        ]
        self.lessons = [lesson for lesson in lessons if lesson.program.exists()]
        self.parts = []
        for part in about["parts"]:
            inside = [l for l in self.lessons if part["first"] <= l.number <= part["last"]]
            if inside:
                self.parts.append(Part(part["title"], inside))
