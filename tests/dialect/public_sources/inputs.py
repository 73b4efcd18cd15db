"""Inputs that a program reads and its repository doesn't have: each function is given the program's folder, in a copy."""

import os
import random
import struct


def write(folder, name, lines):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def b_plus_tree(folder):
    """60,000 keys in random order, and two searches."""
    keys = list(range(60_000))
    random.Random(1).shuffle(keys)
    write(folder, "keys.txt", ["60000", *map(str, keys)])
    write(folder, "command.txt", ["j 6000 3000", "k 10000"])


def bfs(folder):
    """A random graph of 65,536 nodes with 6 edges each, in bfs's format: begin and count of each node's, source, edges."""
    numbers = random.Random(2)
    count = 65_536
    lines = [str(count), *(f"{6 * node} 6" for node in range(count)), "0", str(6 * count)]
    lines += [f"{numbers.randrange(count)} {numbers.randrange(1, 10)}" for _ in range(6 * count)]
    write(folder, "graph.txt", lines)


def cfd(folder):
    """A box of 16 x 16 x 12 tetrahedra-like cells: area, then for each of 4 faces neighbour (negative: none) and normal."""
    width, height = 64, 48
    lines = [str(width * height)]
    for y in range(height):
        for x in range(width):
            sides = [(x - 1, y, -1.0, 0.0), (x + 1, y, 1.0, 0.0), (x, y - 1, 0.0, -1.0), (x, y + 1, 0.0, 1.0)]
            words = ["1.0"]
            for to_x, to_y, normal_x, normal_y in sides:
                inside = 0 <= to_x < width and 0 <= to_y < height
                words += [str(to_y * width + to_x + 1 if inside else -2), str(normal_x), str(normal_y), "0.0"]
            lines.append(" ".join(words))
    write(folder, "mesh.domn", lines)


def picture(folder):
    """1024 x 1024 pixels of 3 bytes."""
    os.makedirs(os.path.join(folder, "../../data/dwt2d"), exist_ok=True)
    with open(os.path.join(folder, "../../data/dwt2d/rgb.bmp"), "wb") as file:
        file.write(bytes((x * y + 3 * x) & 255 for y in range(1024) for x in range(3 * 1024)))


def temperatures(folder):
    """Of a chip of 512 x 512 cells and its power."""
    numbers = random.Random(3)
    write(folder, "temp_512", [f"{320 + 10 * numbers.random():.6f}" for _ in range(512 * 512)])
    write(folder, "power_512", [f"{numbers.random() / 1000:.6f}" for _ in range(512 * 512)])


def layers_of_temperatures(folder):
    """Of a chip of 64 x 64 cells in 8 layers and its power."""
    numbers = random.Random(4)
    write(folder, "temp_64x8", [f"{320 + 10 * numbers.random():.6f}" for _ in range(64 * 64 * 8)])
    write(folder, "power_64x8", [f"{numbers.random() / 1000:.6f}" for _ in range(64 * 64 * 8)])


def symbols(folder):
    """1 MiB of bytes of which small ones are frequent."""
    numbers = random.Random(5)
    with open(os.path.join(folder, "symbols.in"), "wb") as file:
        file.write(bytes(min(255, int(numbers.expovariate(0.2))) for _ in range(1 << 20)))


def hurricanes(folder):
    """4 files of records of 49 bytes, with a latitude and a longitude each."""
    numbers = random.Random(6)
    for part in range(4):
        write(folder, f"cane4_{part}.db",
              [f"{numbers.randrange(1950, 2005):4d} {numbers.randrange(1, 13):2d} {numbers.randrange(1, 29):2d} "
               f"{numbers.randrange(0, 24, 6):2d} {numbers.randrange(1, 29):2d} {'ALBERTO':<9s} "
               f"{7 + 63 * numbers.random():5.1f} {358 * numbers.random():5.1f} {numbers.randrange(10, 165):4d} "
               f"{numbers.randrange(900):4d}" for _ in range(10_691)])
    write(folder, "filelist", [f"cane4_{part}.db" for part in range(4)])


def speckled_picture(folder):
    """502 x 458 pixels as a text PGM, where srad_v1 looks for it."""
    numbers = random.Random(7)
    os.makedirs(os.path.join(folder, "../../../data/srad"), exist_ok=True)
    write(folder, "../../../data/srad/image.pgm",
          ["P2", "# speckles", "458 502", "255", *(str(numbers.randrange(1, 256)) for _ in range(502 * 458))])


def heart_cells(folder):
    """The 91 values and 16 parameters of a cell at rest, which myocyte reads: small numbers of the right size."""
    numbers = random.Random(8)
    os.makedirs(os.path.join(folder, "../../data/myocyte"), exist_ok=True)
    write(folder, "../../data/myocyte/y.txt", [f"{0.1 + 0.8 * numbers.random():.6f}" for _ in range(91)])
    write(folder, "../../data/myocyte/params.txt", [f"{0.1 + 0.8 * numbers.random():.6f}" for _ in range(18)])


def grey_video(folder):
    """An AVI of 5 uncompressed frames of 656 x 744 bytes."""
    width, height, frames = 656, 744, 5
    numbers = random.Random(9)
    chunks = []
    for _ in range(frames):
        data = bytes(numbers.randrange(256) for _ in range(width)) * height
        chunks.append(b"00db" + struct.pack("<I", len(data)) + data)
    main = struct.pack("<14I", 40_000, 0, 0, 16, frames, 0, 1, width * height, width, height, 0, 0, 0, 0)
    stream = b"vids" + b"DIB " + struct.pack("<10I4H", 0, 0, 0, 1, 25, 0, frames, width * height, 0, 0, 0, 0, width, height)
    form = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, width * height, 0, 0, 0, 0)

    def chunk(name, data):
        return name + struct.pack("<I", len(data)) + data

    streams = chunk(b"LIST", b"strl" + chunk(b"strh", stream) + chunk(b"strf", form))
    header = chunk(b"LIST", b"hdrl" + chunk(b"avih", main) + streams)
    movie = chunk(b"LIST", b"movi" + b"".join(chunks))
    with open(os.path.join(folder, "test.avi"), "wb") as file:
        file.write(chunk(b"RIFF", b"AVI " + header + movie))
