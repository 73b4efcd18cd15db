"""The book as a site: built of the course with the results of one lesson, and looked at by a browser where there is one."""

import html
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book"))

from browser import Browser
from check_links import broken_links

LESSON = "12"  # with numbers, plots and a table, in little time


def book(*words):
    command = ["/usr/bin/python3", "-B", str(ROOT / "book/book.py"), "--root", str(ROOT), *words]
    return subprocess.run(command, capture_output=True, text=True)


class BadInput(unittest.TestCase):
    def test_lessons_that_are_not_there(self):
        for words in ("99", "six", "06,,07"):
            done = book("--results", words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, r"--results takes all, none or lessons' numbers, and got '.*'; the lessons are 0 to \d+")

    def test_a_folder_of_something_else_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "thesis.txt").write_text("years of work")
            done = book("--results", "none", "--out", folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("isn't a book; give an empty folder", done.stderr)
            self.assertEqual(os.listdir(folder), ["thesis.txt"])


class BrokenLinks(unittest.TestCase):
    def test_links_pictures_and_anchors_that_lead_nowhere(self):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "a.html").write_text('<h1 id="top"></h1><a href="b.html#x"></a><a href="b.html#y"></a><a href="#top"></a>'
                                         '<a href="#low"></a><img src="c.png"><a href="https://example.org/none"></a>')  # fmt: skip
            (site / "b.html").write_text('<h1 id="x"></h1>')
            self.assertEqual(broken_links(site), [
                "a.html links to 'b.html#y', and that page has no such place",
                "a.html links to '#low', and that page has no such place",
                "a.html links to 'c.png', which isn't there",
            ])  # fmt: skip


@unittest.skipUnless(os.access("/usr/bin/mkdocs", os.X_OK), "MkDocs isn't installed")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site, reference = Path(cls.folder.name) / "site", Path(cls.folder.name) / "html"
        reference.mkdir()
        (reference / "index.html").write_text("<h1>Reference</h1>")
        cls.done = book("--results", LESSON, "--out", str(cls.site), "--reference", str(reference))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def page(self, name):
        return (self.site / name).read_text()

    def test_is_built_without_a_broken_link(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertEqual(self.done.stderr, f"The book is {self.site}/index.html.\n")

    def test_has_a_page_for_every_lesson_and_none_for_solutions(self):
        lessons = [text.parent for text in ROOT.glob("lessons/[0-9]*/README.md")]
        self.assertGreater(len(lessons), 40)
        for lesson in lessons:
            page = self.page(f"lessons/{lesson.name}/index.html")
            self.assertIn('id="line-1"', page, lesson.name)
            for solution in lesson.glob("**/solution.cpp"):
                others = "".join(f.read_text() for f in lesson.rglob("*") if f.suffix in (".cpp", ".md") and f != solution)
                own = [line.strip() for line in solution.read_text().splitlines() if line.strip() not in others]
                for line in own:
                    self.assertNotIn(html.escape(line), page, solution)

    def test_shows_what_the_lesson_printed(self):
        page = self.page("lessons/12_reduce/index.html")
        self.assertIn("A run on this machine", page)
        self.assertIn("What the instruments say", page)
        for picture in re.findall(r'src="(12_reduce-[^"]*\.svg)"', page):
            self.assertTrue((self.site / "lessons/12_reduce" / picture).exists())
        self.assertNotIn("A run on this machine", self.page("lessons/06_gaussian_pdf/index.html"))

    def test_leads_to_the_reference(self):
        self.assertIn('href="reference/index.html"', self.page("index.html"))
        self.assertEqual(self.page("reference/index.html"), "<h1>Reference</h1>")

    def test_hints_unfold_without_scripts(self):
        page = self.page("lessons/12_reduce/index.html")
        self.assertRegex(page, r"<details[^>]*>\s*<summary>Hint: ")

    def test_fetches_nothing_from_elsewhere(self):
        for page in self.site.rglob("*.html"):
            for tag in re.findall(r"<(?:script|link|img)\b[^>]*>", page.read_text()):
                if 'rel="canonical"' not in tag:
                    self.assertNotRegex(tag, r'(?:src|href)="(?:https?:)?//', page)

    def test_lessons_follow_each_other(self):
        page = self.page("lessons/12_reduce/index.html")
        self.assertRegex(page, r'class="md-footer__link md-footer__link--prev"|md-footer__link--prev')
        self.assertIn("13 ", re.search(r"md-footer__link--next.*?</a>", page, re.DOTALL).group(0))

    @unittest.skipUnless(Browser.found(), "Chromium isn't installed")
    def test_a_browser_has_nothing_to_complain_about(self):
        for width in (390, 900, 1600):
            browser = Browser(width=width)
            try:
                for page in ("index.html", "lessons/12_reduce/index.html", "measurements.html"):
                    browser.open((self.site / page).as_uri())
                    self.assertGreater(browser.value("document.querySelector('h1').getBoundingClientRect().width"), 100)
                    wide = browser.value("document.documentElement.scrollWidth - window.innerWidth")
                    self.assertLessEqual(wide, 0, f"{page} is wider than a window of {width} pixels")
                self.assertEqual(browser.complaints, [])
            finally:
                browser.close()

    @unittest.skipUnless(Browser.found(), "Chromium isn't installed")
    def test_lines_of_the_program_follow_each_other(self):
        browser = Browser()
        try:
            browser.open((self.site / "lessons/12_reduce/index.html").as_uri())
            browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
            code = "document.querySelector('.program code')"
            height = browser.value(f"{code}.getBoundingClientRect().height")
            count = browser.value("document.querySelectorAll('.program .line').length")
            line = browser.value("document.querySelector('.program .line').getBoundingClientRect().height")
            self.assertLess(height / count, 1.2 * line)
            self.assertEqual(browser.value(f"{code}.textContent"), (ROOT / "lessons/12_reduce/lesson.cpp").read_text())
        finally:
            browser.close()

    @unittest.skipUnless(Browser.found(), "Chromium isn't installed")
    def test_is_searched_from_a_folder(self):
        browser = Browser()
        try:
            browser.open((self.site / "index.html").as_uri() + "?q=coalescing")
            links = "[...document.querySelectorAll('.md-search-result__link')].map(a => a.href).join(' ')"
            self.assertTrue(browser.until(f"{links}.includes('lessons/22_coalescing/index.html')"), browser.value(links))
        finally:
            browser.close()

    @unittest.skipUnless(Browser.found(), "Chromium isn't installed")
    def test_a_click_on_a_plot_shows_it_as_large_as_the_window(self):
        browser = Browser()
        try:
            browser.open((self.site / "lessons/12_reduce/index.html").as_uri())
            browser.value("document.querySelector('a.zoom img').click()")
            self.assertGreater(browser.value("document.querySelector('dialog.zoomed img').getBoundingClientRect().width"), 900)
            browser.value("document.querySelector('dialog.zoomed').click()")
            self.assertTrue(browser.until("!document.querySelector('dialog.zoomed')", seconds=5))
        finally:
            browser.close()


if __name__ == "__main__":
    unittest.main()
