"""inspect: a launch under the instruments, in a child process to which its arrays travel."""

import html
import tempfile
from dataclasses import dataclass, field

from . import _configuration, _core
from ._compile import run_tool
from ._errors import new_error
from ._functions import Launch


@dataclass(frozen=True)
class Finding:
    """Something wrong in a kernel."""

    kind: str  # "race_in_block"
    instrument: str  # "racecheck"
    line: int  # of the source
    column: int
    array: str
    meaning: str  # what happened
    hint: str  # what to do
    count: int  # how often, at these lines
    other_line: int = 0  # of a race: the other access's; 0: there is none


@dataclass(frozen=True)
class Line:
    """What the accesses of one kind cost that one line makes to one kind of memory."""

    line: int
    expression: str
    memory: str
    access: str
    requests: int
    accesses: int
    active_lanes: float
    sectors: int
    ideal_sectors: int
    wavefronts: int
    ideal_wavefronts: int
    serialized: int


@dataclass(frozen=True)
class Inspection:
    """What the instruments found and counted. Prints as a text, shows itself in notebooks, and `document` is everything, as
    `--inspect --json` writes it. The arrays of this process are as they were: the launch ran on copies."""

    source: str
    document: dict = field(repr=False)
    text: str = field(repr=False)

    @property
    def findings(self):
        return [_finding(f) for f in self.document["findings"]]

    @property
    def lines(self):
        return [_line(c) for c in self.document["lines"]]

    @property
    def pictures(self):
        """The first requests of a warp at each line: as an SVG picture each."""
        return [_access_picture(p) for p in self.document["pictures"]]

    @property
    def clean(self):
        """Whether nothing was found, and the kernel ran to its end."""
        return not self.document["findings"] and not self.document.get("failure")

    def __bool__(self):
        return self.clean

    def __str__(self):
        return self.text

    def _repr_html_(self):
        found = "".join(_finding_html(f, self.source) for f in self.findings)
        failure = self.document.get("failure")
        if failure:
            found += f"<p>✗ {html.escape(str(failure))}</p>"
        return (found or "<p>✓ nothing was found</p>") + _lines_html(self.lines) + "".join(self.pictures)


def inspect(launch, *arguments, instruments="", orders=0, model=""):
    """Runs a launch under the instruments: inspect(kernel[grid, block], array, 0.5).

    instruments   names with commas: "racecheck,memcheck", "all,-leakcheck"; all unless said otherwise
    orders        in how many orders of its threads the launch is observed; 2 unless said otherwise
    model         the GPU whose limits apply: "9.0", "H200"
    """
    if not isinstance(launch, Launch):
        raise new_error("inspect", f"{launch!r} is no launch", "write inspect(kernel[64, 256], arrays...), without calling the kernel")
    kernel = launch.kernel
    data = _core.launch_data(kernel.function, arguments)
    module = kernel.module.checked_module(kernel.__name__)
    with tempfile.NamedTemporaryFile(prefix="gridstride_inspect_") as file:
        described = []
        for extents, content in data:
            described.append({"begin": file.tell(), "bytes": len(content), "extents": list(extents or ())})
            file.write(memoryview(content))
        file.flush()
        request = {"module": str(module), "source": str(module.parent / kernel.module.name), "grid": _extents(launch.grid), "block": _extents(launch.block),
                   "shared_bytes": launch.shared_bytes, "cooperative": kernel.is_cooperative, "arguments": described,
                   "data": file.name, "instruments": instruments, "orders": str(orders or ""), "model": model}
        answer = run_tool(_configuration.INSPECT_PROGRAM, request, f"inspect {kernel.__name__}")
    if "asked" in answer:
        raise new_error(answer["asked"], answer["found"], answer["do"])
    return Inspection(kernel.module.source, answer["inspection"], answer["text"])


def _extents(extent):
    if extent is None:
        return []
    return [int(e) for e in extent] if isinstance(extent, (tuple, list)) else [int(extent)]


def _finding(f):
    other = f.get("other")
    return Finding(f["finding"], f["instrument"], f["place"]["line"], f["place"]["column"], f["array"], f["meaning"], f["hint"],
                   f["count"], other["place"]["line"] if other else 0)


def _line(c):
    return Line(c["place"]["line"], **{name: c[name] for name in Line.__dataclass_fields__ if name != "line"})


def _finding_html(finding, source):
    lines = source.splitlines()
    shown = [n for n in dict.fromkeys((finding.line, finding.other_line)) if 0 < n <= len(lines)]
    code = "".join(f"{n:4} | {html.escape(lines[n - 1])}\n" for n in shown)
    return (f"<p>✗ <b>{finding.instrument}</b>, line {finding.line}: {html.escape(finding.meaning)} "
            f"<i>{html.escape(finding.hint)}</i></p><pre>{code}</pre>")


def _lines_html(lines):
    if not lines:
        return ""
    rows = "".join(
        f"<tr><td>{c.line}</td><td><code>{html.escape(c.expression)}</code></td><td>{c.memory}</td><td>{c.access}</td><td>{c.requests}</td>"
        f"<td>{c.active_lanes:.3g}</td><td>{_beside(c.sectors, c.ideal_sectors)}</td><td>{_beside(c.wavefronts, c.ideal_wavefronts)}</td></tr>"
        for c in lines
    )
    heads = "".join(f"<th>{h}</th>" for h in ("line", "access", "memory", "kind", "requests", "active lanes", "sectors (ideal)", "wavefronts (ideal)"))
    return f"<table><tr>{heads}</tr>{rows}</table>"


def _beside(number, ideal):
    return f"{number} ({ideal})" if number or ideal else ""


def _access_picture(picture):
    """The first request of a warp: which sectors of 32 bytes, or which banks of shared memory, its lanes reach."""
    request = picture["requests"][0]
    is_shared = request["memory"] == "shared"
    unit, count = (4, 32) if is_shared else (32, None)
    cells = [(a // unit) % 32 if is_shared else a // unit for a in request["addresses"]]
    first = 0 if is_shared else min(cells)
    columns = count or min(max(cells) - first + 1, 256)
    step, title = 10, html.escape(f"line {picture['place']['line']}: {picture['expression']}, warp {picture['warp']}")
    name = "bank" if is_shared else "sector"
    squares = "".join(f'<rect x="{step * (c - first)}" y="{20 + 4 * lane}" width="{step - 1}" height="3" fill="#2a6fb0"/>'
                      for lane, c in zip(request["lanes"], cells) if c - first < columns)
    return (f'<figure><svg width="{max(step * columns, 200)}" height="{24 + 4 * 32}" role="img" aria-label="{title}">'
            f'<rect x="0" y="20" width="{step * columns}" height="{4 * 32}" fill="#eef2f6"/>{squares}</svg>'
            f"<figcaption>{title}: a lane a row, a {name} a column</figcaption></figure>")
