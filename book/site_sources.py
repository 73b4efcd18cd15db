"""The book's sources for MkDocs, and the site that MkDocs makes of them."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from bench_page import bench_page
from lesson_page import lesson_page
from markdown_text import Links, with_fences
from offline_search import add_offline_search

HERE = Path(__file__).resolve().parent

# Texts that have pages of their own: file of the repository, page in the book, entry in the list of pages.
TEXTS = [
    ("lessons/GLOSSARY.md", "glossary.md", "Glossary"),
    ("lessons/FROM_PYTHON.md", "from_python.md", "From Python"),
    ("runtime/README.md", "runtime/index.md", "The library gs"),
    ("exercises/README.md", "exercises/index.md", "Exercises"),
    ("assessments/README.md", "assessments/index.md", "Assessments"),
    ("bench/README.md", "bench/index.md", "The benchmarks"),
    ("compiler/README.md", "compiler/index.md", "The plugin for g++"),
    ("CONTRIBUTING.md", "contributing.md", "Contributing"),
    ("CHANGELOG.md", "changelog.md", "Changes"),
]


class Book:
    """The pages of a course in `sources`, ready for MkDocs."""

    def __init__(self, course, sources, results, reference=None):
        self.course, self.sources, self.results, self.reference = course, Path(sources), results, reference
        root = course.root
        self.pages = {root / "README.md": self.sources / "index.md"}
        for file, page, _ in TEXTS:
            if (root / file).exists():
                self.pages[root / file] = self.sources / page
        for lesson in course.lessons:
            self.pages[lesson.text] = self.sources / "lessons" / lesson.name / "index.md"
        self.links = Links(root, self.pages)

    def write(self):
        shutil.rmtree(self.sources, ignore_errors=True)
        lessons = {lesson.text: lesson for lesson in self.course.lessons}
        for file, page in self.pages.items():
            page.parent.mkdir(parents=True, exist_ok=True)
            text = self.links.rewritten(file.read_text(), file, page)
            if file in lessons:
                text = self.lesson(lessons[file], text, page)
            else:
                text = with_fences(text)
            page.write_text(text)
            self.copy_pictures(file, text, page)
        (self.sources / "measurements.md").write_text(bench_page(self.course.root / "bench/results"))
        shutil.copytree(HERE / "theme/assets", self.sources / "assets")
        if self.reference:
            shutil.copytree(self.reference, self.sources / "reference")

    def lesson(self, lesson, text, page):
        files = {}
        text = lesson_page(lesson, text, self.results, files)
        for name, content in files.items():
            if isinstance(content, Path):
                shutil.copyfile(content, page.parent / name)
            else:
                (page.parent / name).write_text(content)
        return text

    def copy_pictures(self, file, text, page):
        """Pictures that the text shows keep their places relative to it."""
        for picture in file.parent.glob("**/*.png"):
            place = picture.relative_to(file.parent)
            if f"({place.as_posix()})" in text:
                (page.parent / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(picture, page.parent / place)

    def navigation(self):
        def page(path):
            return os.path.relpath(path, self.sources)

        listed = [{"Start": "index.md"}]
        for part in self.course.parts:
            listed.append({part.title: [{l.title: page(self.pages[l.text])} for l in part.lessons]})
        texts = [{title: name} for file, name, title in TEXTS if (self.course.root / file) in self.pages]
        texts.append({"Measurements": "measurements.md"})
        if self.reference:
            texts.append({"Reference of gs": "reference/index.html"})
        return listed + [{"Beside the lessons": texts}]

    def configuration(self, site):
        return {
            "site_name": self.course.name,
            "site_description": "Parallel computing in modern C++, lesson by lesson",
            "docs_dir": str(self.sources),
            "site_dir": str(site),
            "use_directory_urls": False,  # pages open from a folder, too
            "theme": {
                "name": "material",
                "custom_dir": str(HERE / "theme/overrides"),
                "font": False,  # of the reader's system: nothing is fetched
                "features": ["navigation.sections", "navigation.top", "toc.follow", "search.highlight", "search.share"],
                "palette": [
                    {
                        "media": f"(prefers-color-scheme: {scheme})",
                        "scheme": name,
                        "primary": "indigo",
                        "accent": "indigo",
                        "toggle": {"icon": icon, "name": f"Switch to {other}"},
                    }
                    for scheme, name, icon, other in (
                        ("light", "default", "material/weather-night", "dark"),
                        ("dark", "slate", "material/weather-sunny", "light"),
                    )
                ],
            },
            "extra_css": ["assets/book.css"],
            "extra_javascript": ["assets/zoom.js"],
            "markdown_extensions": [
                "attr_list",
                "md_in_html",
                "tables",
                "sane_lists",
                {"toc": {"permalink": True, "toc_depth": "1-3"}},
                {"pymdownx.highlight": {"use_pygments": True}},
                "pymdownx.details",
                "pymdownx.superfences",
            ],
            "plugins": ["search"],
            "nav": self.navigation(),
        }

    def build(self, site):
        """Writes the pages and has MkDocs make the site. Raises RuntimeError with MkDocs' words where it can't."""
        self.write()
        # JSON is YAML.
        configuration = self.sources.parent / "mkdocs.yml"
        configuration.write_text(json.dumps(self.configuration(site), indent=1))
        done = subprocess.run(
            ["/usr/bin/mkdocs", "build", "--strict", "--clean", "--config-file", str(configuration)],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(done.stdout + done.stderr)
        add_offline_search(Path(site))
