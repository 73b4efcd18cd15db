"""Looks for links, pictures and anchors of a site that lead nowhere."""

import os
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class PageParser(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            self.anchors.add(attributes["id"])
        if tag == "a" and attributes.get("name"):
            self.anchors.add(attributes["name"])
        for name in ("href", "src"):
            if attributes.get(name):
                self.links.append(attributes[name])


def parsed(page):
    parser = PageParser()
    parser.feed(page.read_text(errors="replace"))
    return parser


def broken_links(site, leave_out=("reference", "404.html")):
    """A sentence for each link within the site, from its pages but those below `leave_out`, that leads nowhere."""
    site = Path(site).resolve()
    parsers, problems = {}, []
    for page in sorted(site.rglob("*.html")):
        if page.relative_to(site).parts[0] in leave_out:
            continue
        parsers.setdefault(page, parsed(page))
        for link in parsers[page].links:
            address = urlsplit(link)
            if address.scheme or address.netloc or link.startswith(("data:", "javascript:")):
                continue
            target = Path(os.path.normpath(page.parent / unquote(address.path))) if address.path else page
            if target.is_dir():
                target = target / "index.html"
            here = page.relative_to(site)
            if not target.exists():
                problems.append(f"{here} links to '{link}', which isn't there")
            elif address.fragment and target.suffix == ".html":
                parsers.setdefault(target, parsed(target))
                if unquote(address.fragment) not in parsers[target].anchors | {"__comments"}:
                    problems.append(f"{here} links to '{link}', and that page has no such place")
    return problems
