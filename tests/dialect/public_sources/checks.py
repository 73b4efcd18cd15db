"""What a program that compares nothing itself should have computed: each function is given its folder and its output."""

import math
import os
import re


def lines_of(folder, name):
    with open(os.path.join(folder, name), encoding="ascii") as file:
        return file.read().splitlines()


def bfs(folder, _):
    """The number of edges from node 0 to every node."""
    lines = lines_of(folder, "graph.txt")
    count = int(lines[0])
    nodes = [tuple(map(int, line.split())) for line in lines[1:count + 1]]
    edges = [int(line.split()[0]) for line in lines[count + 3:]]
    costs = [-1] * count
    source = int(lines[count + 1])
    costs[source], front = 0, [source]
    while front:
        following = []
        for node in front:
            begin, degree = nodes[node]
            for to in edges[begin:begin + degree]:
                if costs[to] < 0:
                    costs[to] = costs[node] + 1
                    following.append(to)
        front = following
    found = [int(re.fullmatch(r"\d+\) cost:(-?\d+)", line)[1]) for line in lines_of(folder, "result.txt")]
    return found == costs


def nearest_hurricanes(folder, output):
    """The 5 smallest distances from 30, 90."""
    points = [(float(line[28:33]), float(line[33:38])) for part in range(4)
              for line in lines_of(folder, f"cane4_{part}.db")]
    expected = sorted(math.dist((30, 90), point) for point in points)[:5]
    found = [float(number) for number in re.findall(r"Distance=([0-9.]+)", output)]
    return len(found) == 5 and all(abs(a - b) < 1e-4 * max(1, b) for a, b in zip(sorted(found), expected))
