"""The repository's Markdown as the book shows it: code in colours, links that lead to pages of the book."""

import os
import re
from pathlib import Path

TABLE_MARKS = "─━│┃├┤┼╭╰"


def language_of(code):
    """How an indented block of code is coloured: it doesn't say what it is."""
    lines = [line for line in code.splitlines() if line.strip()]
    if lines and lines[0].lstrip().startswith(("$ ", "./gridstride")):
        return "console"
    if any(mark in code for mark in TABLE_MARKS):
        return "text"
    if re.search(r"GS_FN|gs::|#include|\bauto\b|\bconst(expr)?\b|\bfor \(|\breturn\b|;\s*(//.*)?$", code, re.MULTILINE):
        return "cpp"
    return "text"


def fenced(code, language):
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"


def with_fences(text):
    """Turns indented blocks of code, which follow an empty line and no list, into fenced ones with a language."""
    lines, out = text.split("\n"), []
    at, in_fence, in_list = 0, False, False
    while at < len(lines):
        line = lines[at]
        if line.startswith("```"):
            in_fence = not in_fence
        begins_block = line.startswith("    ") and (not out or not out[-1].strip())
        if in_fence or in_list or not begins_block:
            if line.strip() and not line.startswith(" "):
                in_list = bool(re.match(r"([-*]|\d+\.) ", line))
            out.append(line)
            at += 1
            continue
        block = []
        while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
            block.append(lines[at][4:])
            at += 1
        code = "\n".join(block).rstrip()
        out += [fenced(code, language_of(code)), ""]
    return "\n".join(out)


class Links:
    """Where links of a text lead. `pages` maps a file of the repository to its page in the book's sources."""

    def __init__(self, root, pages):
        self.root, self.pages = Path(root), pages

    def page_of(self, target):
        if target in self.pages:
            return self.pages[target]
        readme = target / "README.md"
        return self.pages.get(readme) if target.is_dir() else None

    def rewritten(self, text, source, page):
        """`text`, of the file `source` and shown by `page`, with links that hold there. A file that has no page in the
        book is named and no link; pictures keep their places beside the page."""

        def replacement(match):
            before, label, link = match.group(1), match.group(2), match.group(3)
            address, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", link) or not address or before:
                return match.group(0)
            target = Path(os.path.normpath(source.parent / address))
            found = self.page_of(target)
            if found is None:
                path = os.path.relpath(target, self.root)
                return f"`{path}`" if label.strip("`") in (path, address) else f"{label} (`{path}`)"
            return f"[{label}]({os.path.relpath(found, page.parent)}{'#' + anchor if anchor else ''})"

        return re.sub(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)", replacement, text)
