"""The whole book as one page, and that page as a PDF file by Chromium."""

import os
import re
import subprocess

# What is unfolded on a screen is printed; hints are not, so that a reader on paper doesn't read them by accident.
KEPT_FOLDED = "<summary>Hint: "


def article_of(page):
    """The text of a page that MkDocs has made, without its frame."""
    found = re.search(r"<article[^>]*>(.*)</article>", page.read_text(), re.DOTALL)
    return found.group(1) if found else ""


def without_hints(article):
    return re.sub(r"<details[^>]*>\s*" + re.escape(KEPT_FOLDED) + r".*?</details>", "", article, flags=re.DOTALL)


def at_top(article, page, site):
    """Pictures by their place in the site; links within the book become links within the page, to whole lessons."""

    def place(match):
        name, address = match.group(1), match.group(2)
        if re.match(r"[a-z]+:|#", address):
            return match.group(0)
        target = os.path.relpath(os.path.normpath(page.parent / address.partition("#")[0]), site)
        return f'{name}="{target}"' if name == "src" else f'{name}="#{page_id(target)}"'

    article = re.sub(r' id="[^"]*"', "", article)
    return re.sub(r'\b(src|href)="([^"]*)"', place, article)


def page_id(path):
    return "page-" + re.sub(r"[^a-z0-9]+", "-", str(path).lower())


def pages_in(navigation):
    for entry in navigation:
        for value in entry.values():
            if isinstance(value, list):
                yield from pages_in(value)
            elif value.endswith(".md"):
                yield value.removesuffix(".md") + ".html"


def printed_page(site, navigation):
    """HTML of all pages in the order of the navigation, with the site's own styles."""
    styles = [os.path.relpath(f, site) for f in sorted(site.glob("assets/stylesheets/*.css"))] + ["assets/book.css"]
    parts = []
    for name in pages_in(navigation):
        article = at_top(without_hints(article_of(site / name)), site / name, site)
        parts.append(f'<section id="{page_id(name)}">{article.replace("<details", "<details open")}</section>')
    head = "".join(f'<link rel="stylesheet" href="{s}">' for s in styles)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Gridstride</title>{head}'
        "<style>section { break-before: page } .headerlink { display: none } img { max-width: 100% }</style></head>"
        '<body data-md-color-scheme="default"><div class="md-content md-typeset">' + "\n".join(parts) + "</div></body></html>"
    )


def print_all(site, navigation, file):
    """Prints the book into `file`. Raises RuntimeError with a sentence if Chromium isn't there or fails."""
    page = site / "print.html"
    page.write_text(printed_page(site, navigation))
    command = ["chromium", "--headless=new", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={file.resolve()}"]
    if os.geteuid() == 0:
        command.append("--no-sandbox")  # which Chromium refuses to have as root
    try:
        done = subprocess.run([*command, page.resolve().as_uri()], capture_output=True, text=True, timeout=600)
    except FileNotFoundError:
        raise RuntimeError("Chromium, which prints the book, was not found; install chromium first.") from None
    except subprocess.TimeoutExpired:
        raise RuntimeError("Chromium hadn't printed the book after ten minutes; print its pages from a browser.") from None
    finally:
        page.unlink()
    if done.returncode != 0 or not file.exists():
        raise RuntimeError(f"Chromium didn't print the book: {(done.stderr.strip() or 'it said nothing').splitlines()[-1]}")
