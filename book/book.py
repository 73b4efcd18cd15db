"""Builds the course as a web site. ./gridstride book calls it; book/README.md describes it."""

import argparse
import functools
import http.server
import sys
from pathlib import Path

from check_links import broken_links
from course import Course
from lesson_results import Results
from print_page import print_all
from site_sources import Book


def say(text):
    print(text, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="gridstride book", description="Builds the course as a web site.")
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--reference", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder of the site [build/book/site]")
    parser.add_argument("--results", default="all", metavar="LESSONS",
                        help="lessons whose results are shown: all, none, or numbers such as 06,26 [all]")  # fmt: skip
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="print it into one PDF file, too (needs Chromium)")
    parser.add_argument("--serve", action="store_true", help="serve it at http://localhost:8000 until Ctrl-C")
    parser.add_argument("--port", type=int, default=8000, help="another port than 8000")
    return parser


def chosen_lessons(course, words):
    """The lessons whose results are wanted. Raises ValueError with a sentence."""
    if words in ("all", "none"):
        return course.lessons if words == "all" else []
    by_number = {lesson.number: lesson for lesson in course.lessons}
    chosen = []
    for word in words.split(","):
        if not word.isdigit() or int(word) not in by_number:
            raise ValueError(f"--results takes all, none or lessons' numbers, and got '{word}'; "
                             f"the lessons are {min(by_number)} to {max(by_number)}.")  # fmt: skip
        chosen.append(by_number[int(word)])
    return chosen


def run_all(results):
    lessons = results.lessons
    for count, lesson in enumerate(lessons, 1):
        if sys.stderr.isatty():
            print(f"\r\033[K{count} of {len(lessons)}: {lesson.title}", end="", file=sys.stderr, flush=True)
        results.documents(lesson)
    if sys.stderr.isatty() and lessons:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    for problem in results.problems:
        say(problem)


def serve(site, port):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(site))
    try:
        server = http.server.ThreadingHTTPServer(("localhost", port), handler)
    except OSError as problem:
        say(f"The book can't be served at port {port}: {problem.strerror}; give another by --port.")
        return 3
    say(f"The book is at http://localhost:{port}/ until Ctrl-C.")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        say("")
    return 0


def main():
    parser = arguments()
    options = parser.parse_args()
    folder = options.root / "build/book"
    site = (options.out or folder / "site").resolve()
    try:
        course = Course(options.root)
        lessons = chosen_lessons(course, options.results)
    except ValueError as problem:
        say(str(problem))
        return 2
    if site.exists() and any(site.iterdir()) and not (site / "search/search_index.json").exists():
        say(f"The book would replace what lies in '{site}', which isn't a book; give an empty folder by --out.")
        return 2
    results = Results(options.root, folder / "results", lessons)
    run_all(results)
    book = Book(course, folder / "sources", results, options.reference)
    try:
        book.build(site)
    except (RuntimeError, OSError) as problem:
        say(f"The site wasn't built: {problem}")
        return 3 if isinstance(problem, OSError) else 1
    problems = broken_links(site)
    for problem in problems:
        say(problem)
    if problems:
        say(f"{len(problems)} links of the book lead nowhere.")
        return 1
    say(f"The book is {site}/index.html.")
    if options.pdf:
        try:
            print_all(site, book.navigation(), options.pdf)
        except RuntimeError as problem:
            say(str(problem))
            return 3
        say(f"On paper: {options.pdf}")
    return serve(site, options.port) if options.serve else 0


if __name__ == "__main__":
    sys.exit(main())
