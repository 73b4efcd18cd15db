"""Which functions a source defines: those marked GS_FN, outside of any other function.

Only names are read here, and where they stand. What a function takes and returns is told by the compiler, in
python/binding/describe.h.
"""

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<text>(?:u8|[uUL])?R"(?P<end>[^()\s\\]{0,16})\(.*?\)(?P=end)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign>::|.)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_WORDS_BEFORE_PARENTHESES = {"alignas", "decltype", "noexcept", "explicit", "requires", "__attribute__", "operator"}


@dataclass(frozen=True)
class Declaration:
    """A function, or a struct whose call is a device function."""

    name: str  # "gaussian", "physics::gaussian"
    line: int
    kind: str  # "function", "template", "object", or "overloaded": several functions of one name
    is_defined: bool = True


def _tokens(source):
    """(token, line) without comments and directives; a literal is one token, '""'."""
    line = 1
    for match in _TOKEN.finditer(source):
        if match["word"] or match["sign"]:
            yield match[0], line
        elif match["text"]:
            yield '""', line
        line += match[0].count("\n")


def _end_of_group(tokens, at, opening, closing):
    """The position behind the group that begins at `at`."""
    depth = 0
    while at < len(tokens):
        token = tokens[at][0]
        depth += (token == opening) - (token == closing)
        at += 1
        if depth == 0:
            return at
    return at


class _Reader:
    def __init__(self, source):
        self.tokens = list(_tokens(source))
        self.found = {}

    def read(self):
        self._read_scope(0, [], None)
        return list(self.found.values())

    def _read_scope(self, at, scope, struct):
        """Reads declarations up to the brace that closes the scope, and returns the position behind it."""
        is_template = is_device = False
        while at < len(self.tokens):
            token, line = self.tokens[at]
            if token == "}":
                return at + 1
            if token == ";":
                is_template = is_device = False
                at += 1
            elif token == "template":
                is_template = True
                at = self._end_of_angles(at + 1)
            elif token == "GS_FN":
                is_device = True
                at += 1
            elif token == "namespace":
                at = self._read_namespace(at + 1, scope)
            elif token in ("struct", "class") and not is_device:
                at = self._read_struct(at + 1, scope, is_template)
                is_template = False
            elif token == "(" and is_device:
                at = self._read_function(at, line, scope, struct, is_template)
                is_template = is_device = False
            elif token == "{":
                at = _end_of_group(self.tokens, at, "{", "}")
                is_template = is_device = False
            elif token == "(":
                at = _end_of_group(self.tokens, at, "(", ")")
            else:
                at += 1
        return at

    def _end_of_angles(self, at):
        return _end_of_group(self.tokens, at, "<", ">") if self.tokens[at : at + 1] and self.tokens[at][0] == "<" else at

    def _read_namespace(self, at, scope):
        names = []
        while at < len(self.tokens) and self.tokens[at][0] not in "{;=":
            if self.tokens[at][0] not in ("::", "inline"):
                names.append(self.tokens[at][0])
            at += 1
        if at < len(self.tokens) and self.tokens[at][0] == "{":
            return self._read_scope(at + 1, scope + names, None)
        return at

    def _read_struct(self, at, scope, is_template):
        name = self.tokens[at][0] if at < len(self.tokens) else ""
        while at < len(self.tokens) and self.tokens[at][0] not in "{;(=":
            at += 1
        if at < len(self.tokens) and self.tokens[at][0] == "{":
            return self._read_scope(at + 1, scope, None if is_template else "::".join([*scope, name]))
        return at

    def _read_function(self, at, line, scope, struct, is_template):
        """At the parenthesis behind a device function's name, or behind a word that takes one of its own."""
        name = self.tokens[at - 1][0]
        if name in _WORDS_BEFORE_PARENTHESES and name != "operator":
            return _end_of_group(self.tokens, at, "(", ")")
        end = _end_of_group(self.tokens, at, "(", ")")
        if name == "operator" and struct:  # operator()(...)
            end = _end_of_group(self.tokens, end, "(", ")")
        while end < len(self.tokens) and self.tokens[end][0] not in "{;":
            end += 1
        is_defined = end < len(self.tokens) and self.tokens[end][0] == "{"
        if name == "operator" and struct:
            self._add(Declaration(struct, line, "object"))
        elif struct is None and name.isidentifier() and name != "operator":
            kind = "template" if is_template else "function"
            self._add(Declaration("::".join([*scope, name]), line, kind, is_defined))
        return _end_of_group(self.tokens, end, "{", "}") if is_defined else end

    def _add(self, declaration):
        known = self.found.get(declaration.name)
        if known and known.kind in ("function", "overloaded") and declaration.kind == "function":
            if not declaration.is_defined:
                return
            if known.is_defined:
                declaration = Declaration(declaration.name, known.line, "overloaded")
        self.found[declaration.name] = declaration


def read_declarations(source):
    """The source's device functions and function objects, by name."""
    return {d.name: d for d in _Reader(source).read()}
