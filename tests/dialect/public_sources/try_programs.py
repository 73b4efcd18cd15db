#!/usr/bin/env python3
"""Runs the programs of a clone of a public repository in the CUDA dialect, and says how each ended.

    python3 tests/dialect/public_sources/try_programs.py CLONE [--only PATTERN] [--seconds N] [--list] [--save FILE]

CLONE is a folder of cuda-samples, gpu-rodinia, cuda-training-series or cuda_programming, under that name. A line for each
program: its name, the outcome, what is said of it. Nothing in the clone is changed: programs run in a copy.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import checks
import inputs
import repositories
import selection

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
SOURCE_ENDINGS = (".cu", ".cpp", ".c", ".cc")
HEADER_ENDINGS = (".h", ".cuh", ".hpp", ".hxx", ".hh")


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def texts_of(clone, program):
    """The program's sources, and the headers in its folder."""
    folder = os.path.join(clone, program.folder)
    texts = [text_of(path) for path in (os.path.join(folder, source) for source in program.sources) if os.path.exists(path)]
    if program.headers:
        for where, _, files in os.walk(folder):
            texts += [text_of(os.path.join(where, file)) for file in sorted(files) if file.endswith(HEADER_ENDINGS)]
        for included in re.findall(r'#\s*include\s*"([^"]+\.cu)"', "\n".join(texts)):
            path = os.path.join(folder, included)
            if os.path.exists(path):
                texts.append(text_of(path))
    return texts


def first_line(text, pattern):
    found = re.search(pattern, text, flags=re.M)
    return found[0].strip() if found else ""


def outcome_of(status, out, error, timed_out, expected):
    """A word, and what is said of it."""
    if timed_out:
        return "too slow", ""
    if re.search(r"lanes of a warp don't go in step|isn't supported|aren't supported", error) and not out:
        return "refused", first_line(error, r"error: .*")
    if re.search(r"doesn't compile\.|can't be linked\.", error) and not out:
        what = first_line(error, r"(?:fatal )?error: .*|undefined reference.*|.*multiple definition.*")
        return ("not linked" if "can't be linked" in error else "not compiled"), what
    said = first_line(error, r"^.*(?:cudaError|CUBLAS_STATUS|CUFFT_|CURAND_STATUS)\w*: .*")
    if status < 0 or status >= 128:
        return "crashed", said or first_line(error, r".+\Z")
    if status == 0 and (not expected or re.search(expected, out + error)) and not re.search(r"\bFAIL(ED)?\b|[Mm]ismatch at", out):
        return "verified", ""
    if said:
        return "refused", said
    return "wrong", f"status {status}; " + (out.strip().splitlines() or error.strip().splitlines() or [""])[-1]


def is_empty(path):
    """Whether it is a folder that a repository has for what it doesn't have."""
    return os.path.isdir(path) and os.listdir(path) == [".gitkeep"]


def copy_for(clone, copy, program):
    """The clone with the program's folder in a copy of its own, and links to everything else. Returns that folder."""
    place, original = copy, clone
    for part in [p for p in os.path.normpath(program.folder).split(os.sep) if p != "."]:
        os.makedirs(place)
        for entry in os.listdir(original):
            if is_empty(os.path.join(original, entry)):
                os.makedirs(os.path.join(place, entry))  # for inputs
            elif entry != part:
                os.symlink(os.path.join(original, entry), os.path.join(place, entry))
        place, original = os.path.join(place, part), os.path.join(original, part)
    shutil.copytree(original, place)
    subprocess.run(["chmod", "-R", "u+w", place], check=True)
    return place


def run(clone, program, seconds, show):
    with tempfile.TemporaryDirectory(prefix="public_") as scratch:
        copy = os.path.join(scratch, os.path.basename(clone))
        folder = copy_for(clone, copy, program)
        if program.inputs:
            getattr(inputs, program.inputs)(folder)
        options = [o.replace("CLONE", copy) for o in program.options]
        command = [os.path.join(ROOT, "gridstride"), "run", *options, *program.sources, "--", *program.arguments]
        began = time.monotonic()
        timed_out = False
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, error = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 15)
            out, error = process.communicate()
            timed_out = True
        out, error = (text.decode("utf-8", "replace") for text in (out, error))
        if show:
            print(out[-6000:], error[-8000:], sep="\n")
        word, what = outcome_of(process.returncode, out, error, timed_out, program.expect)
        if word == "verified" and program.check:
            if not getattr(checks, program.check)(folder, out):
                word, what = "wrong", "another result than checks.py has"
        elif word == "verified" and not program.verifies:
            word = "ran"
        return word, what.replace(copy + "/", "").replace(scratch, ""), time.monotonic() - began


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("clone")
    arguments.add_argument("--only", default="", help="programs whose name has this regular expression")
    arguments.add_argument("--seconds", type=float, default=120, help="how long one may take, compilation included")
    arguments.add_argument("--list", action="store_true", help="says which are selected, and runs none")
    arguments.add_argument("--show", action="store_true", help="also what they print")
    arguments.add_argument("--save", help="writes the lines to this file, tab-separated")
    asked = arguments.parse_args()
    clone = os.path.abspath(asked.clone)
    name = os.path.basename(clone)
    if name not in repositories.REPOSITORIES:
        sys.exit(f"{name} is none of {', '.join(repositories.REPOSITORIES)}; name a folder that is called so")
    lines = []
    for program in repositories.REPOSITORIES[name](clone):
        if not re.search(asked.only, program.name):
            continue
        defined = [b for a, b in zip(program.options, program.options[1:]) if a == "-D"]
        reason = selection.left_out_because(texts_of(clone, program), defined)
        took = 0.0
        if reason:
            word, what = "left out", reason
        elif asked.list:
            word, what = "selected", ""
        else:
            word, what, took = run(clone, program, asked.seconds, asked.show)
        lines.append("\t".join([name, program.name, word, program.note if word in ("verified", "ran") else what]))
        print(lines[-1] + (f"\t{took:.1f} s" if took else ""), flush=True)
    words = [line.split("\t")[2] for line in lines]
    print(", ".join(f"{words.count(word)} {word}" for word in sorted(set(words))), file=sys.stderr)
    if asked.save:
        with open(asked.save, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))


if __name__ == "__main__":
    main()
