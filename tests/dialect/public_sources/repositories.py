"""The programs of the four public repositories: their sources, and what each is run with."""

import dataclasses
import glob
import os
import re


@dataclasses.dataclass
class Program:
    name: str
    folder: str  # where it runs, below the clone
    sources: list  # below `folder`
    options: list = dataclasses.field(default_factory=list)  # of gridstride run: -I FOLDER, -D NAME
    arguments: list = dataclasses.field(default_factory=list)
    expect: str = r"(?i)\bpass(ed)?\b|success|OK\b"  # what its output has when it has verified itself
    inputs: str = ""  # a function of inputs.py
    check: str = ""  # a function of checks.py, for one that doesn't verify itself
    note: str = ""
    verifies: bool = True  # whether it compares its results with the host's
    headers: str = "**"  # which headers count for the rules, below `folder`


def course_programs(clone, pattern, wanted):
    """Every source is a program."""
    programs = []
    for path in sorted(glob.glob(os.path.join(clone, pattern), recursive=True)):
        folder, file = os.path.split(os.path.relpath(path, clone))
        name = os.path.relpath(path, os.path.join(clone, pattern.split("*")[0]))
        if wanted(path):
            programs.append(Program(name=name, folder=folder, sources=[file], headers=""))
    return programs


def has_a_solution(path):
    """Whether another file is this exercise's solved form."""
    folder, file = os.path.split(path)
    stem = re.sub(r"_(with_fixme|from_scratch)$", "", file[:-3])
    solved = stem + "_solution.cu"
    return os.path.exists(os.path.join(folder, solved)) or os.path.exists(os.path.join(folder, "Solutions", solved))


def cuda_programming(clone):
    programs = course_programs(clone, "**/*.cu", lambda path: True)
    for program in programs:
        if program.name.startswith("04_"):
            program.expect = ""  # asserts, and prints nothing
    return programs


SERIES = {
    "hw1/hello_solution.cu": {"verifies": False, "expect": r"block: 1, thread: 1"},
    "hw1/vector_add_solution.cu": {"verifies": False, "expect": r"C\[0\] = [0-9.]*[1-9]"},
    "hw3/vector_add_solution.cu": {"verifies": False, "expect": r"C\[0\] = [0-9.]*[1-9]"},
    "hw4/matrix_sums_solution.cu": {"expect": r"row sums correct!\s+column sums correct!"},
    "hw5/matrix_sums_solution.cu": {"expect": r"row sums correct!\s+column sums correct!"},
    "hw5/max_reduction_solution.cu": {"expect": r"reduction output: (\S+), .*max reduction output: \1\n"},
    "hw5/reductions.cu": {"expect": r"atomic sum reduction correct!\s+reduction w/atomic sum correct!\s+reduction warp shuffle sum correct!"},
    "hw6/linked_list_solution.cu": {"verifies": False, "expect": r"key = 3"},
    "hw7/multi_solution.cu": {"expect": r"elapsed time"},
    "hw7/overlap_solution.cu": {"options": ["-D", "USE_STREAMS"], "expect": r"\nstreams elapsed time"},
    "hw9/task1_solution.cu": {"expect": r"(group partial sum: 16\s+){8,}"},
    "hw9/task2_solution.cu": {"expect": r"thrust time"},
    "hw10/streams_solution.cu": {"options": ["-D", "USE_STREAMS"], "expect": r"\nstreams elapsed time"},
    "hw11/test.cu": {"verifies": False, "options": ["-D", "NO_MPI"], "arguments": ["1048576"], "expect": "Time per kernel",
                     "note": "without MPI; 1,048,576 elements"},
    "hw12/task2_solution.cu": {"expect": r"Estimated value: (0\.6931).* Expected value: \1"},
    "hw13/axpy_stream_capture_timer.cu": {"verifies": False, "expect": r"\d"},
    "hw13/Solutions/axpy_cublas_solution.cu": {"expect": r"\d"},
    "hw13/Solutions/axpy_stream_capture_solution.cu": {"verifies": False, "expect": r"\d"},
}


def cuda_training_series(clone):
    programs = course_programs(clone, "exercises/**/*.cu", lambda path: not has_a_solution(path))
    return [dataclasses.replace(p, **SERIES.get(p.name, {})) for p in programs]


SAMPLES = {
    "FDTD3d": {"arguments": ["--dimx=96", "--dimy=96", "--dimz=96", "--timesteps=2"], "expect": "CompareData", "note": "96 x 96 x 96, 2 steps"},
    "transpose": {"arguments": ["-dimX=256", "-dimY=256"], "note": "256 x 256"},
    "reductionMultiBlockCG": {"arguments": ["-n=1048576"], "note": "1,048,576 elements"},
    "warpAggregatedAtomicsCG": {"expect": "Warp Aggregated Atomics PASSED"},
    "eigenvalues": {"expect": "Test Succeeded", "arguments": ["-matrix-size=256", "-iters-timing=1"], "note": "a matrix of 256 x 256"},
    "scan": {"expect": "Shutting down"},
    "asyncAPI": {"expect": "CPU executed [0-9]+ iterations"},
    "clock": {"verifies": False, "expect": "Average clocks/block = [1-9]"},
    "simpleCooperativeGroups": {"expect": r"is (\d+) \(expected \1\)(?s:.)*is (\d+) \(expected \2\)"},
    "simpleZeroCopy": {"expect": "Releasing CPU memory"},
    "simpleMultiCopy": {"expect": "Overlapped using 4 streams"},
    "simpleStreams": {"expect": r"4 streams:\s+[0-9.]+"},
    "simpleHyperQ": {"verifies": False, "expect": "Measured time for sample"},
    "template": {"expect": "Processing time"},
    "MC_EstimatePiInlineP": {"expect": "Performance"},
    "MC_EstimatePiP": {"expect": "Performance"},
    "MC_SingleAsianOptionP": {"expect": "Performance"},
    "threadFenceReduction": {"expect": r"GPU result = (0\.0622982).*\s+CPU result = \1"},
    "StreamPriorities": {"verifies": False, "expect": "elapsed time of kernels launched to HI"},
    "binaryPartitionCG": {"expect": r"Num of Odds = \d+ Sum of Odds = \d+", "verifies": False},
    "SobolQRNG": {"expect": "L1-Error: 0\n"},
    "quasirandomGenerator": {"expect": r"(?s)L1 norm: .*E-\d\d.*L1 norm: .*E-\d\d"},
    "simplePrintf": {"verifies": False, "expect": r"\[3, 7\]:\s+Value is:10"},
}


def cuda_samples(clone):
    programs = []
    for path in sorted(glob.glob(os.path.join(clone, "Samples/*/*/**/CMakeLists.txt"), recursive=True)):
        folder = os.path.dirname(os.path.relpath(path, clone))
        with open(path, encoding="utf-8", errors="replace") as file:
            text = re.sub(r"#.*", "", file.read())
        for words in re.findall(r"add_executable\(([^)]*)\)", text):
            name, *files = words.split()
            sources = [f for f in files if re.search(r"\.(cu|cpp|c)$", f)]
            program = Program(name=folder.split("/", 2)[2], folder=folder, sources=sources,
                              options=["-I", os.path.relpath("Common", folder)])
            if "/inc" in str(glob.glob(os.path.join(clone, folder, "*"))):
                program.options += ["-I", "inc"]
            programs.append(dataclasses.replace(program, **SAMPLES.get(program.name, {})))
    return programs


# Rodinia's makefiles, as a list; "run" and "README" of each program say what it is run with.
RODINIA = [
    Program("b+tree", "cuda/b+tree", ["main.c", "kernel/kernel_gpu_cuda_wrapper.cu", "kernel/kernel_gpu_cuda_wrapper_2.cu",
                                      "util/timer/timer.c", "util/num/num.c", "util/cuda/cuda.cu"],
            arguments=["file", "keys.txt", "command", "command.txt"], inputs="b_plus_tree", expect="Total time"),
    Program("backprop", "cuda/backprop", ["backprop.c", "facetrain.c", "imagenet.c", "backprop_cuda.cu"],
            arguments=["65536"], expect="Training done"),
    Program("bfs", "cuda/bfs", ["bfs.cu"], options=["-I", "../util"], arguments=["graph.txt"], inputs="bfs", check="bfs",
            expect="Result stored"),
    *(Program(f"cfd/{name}", "cuda/cfd", [name + ".cu"], arguments=["mesh.domn"], inputs="cfd", expect="Saved solution",
              note="a mesh of 3,072 elements") for name in ("euler3d", "euler3d_double", "pre_euler3d", "pre_euler3d_double")),
    Program("dwt2d", "cuda/dwt2d", ["main.cu", "dwt.cu", "components.cu", "dwt_cuda/fdwt53.cu", "dwt_cuda/fdwt97.cu",
                                    "dwt_cuda/common.cu", "dwt_cuda/rdwt97.cu", "dwt_cuda/rdwt53.cu"], options=["-I", "."],
            arguments=["rgb.bmp", "-d", "1024x1024", "-f", "-5", "-l", "3"], inputs="picture", expect="launchFDWT53Kernel has finished"),
    Program("gaussian", "cuda/gaussian", ["gaussian.cu"], arguments=["-s", "16"], expect="Time for CUDA kernels"),
    Program("heartwall", "cuda/heartwall", ["main.cu", "AVI/avilib.c", "AVI/avimod.c"], options=["-I", "AVI"],
            arguments=["test.avi", "2"], inputs="grey_video", expect="frame progress"),
    Program("hotspot", "cuda/hotspot", ["hotspot.cu"], arguments=["512", "2", "2", "temp_512", "power_512", "output.out"],
            inputs="temperatures", expect="Ending simulation"),
    Program("hotspot3D", "cuda/hotspot3D", ["3D.cu"], arguments=["64", "8", "100", "power_64x8", "temp_64x8", "output.out"],
            inputs="layers_of_temperatures", expect=r"Accuracy: \d\.\d+e-0[4-9]", note="64 x 64 x 8"),
    Program("huffman", "cuda/huffman", ["main_test_cu.cu", "stats_logger.cpp", "vlc_kernel_sm64huff.cu", "scan.cu",
                                        "pack_kernels.cu", "cpuencode.cpp"], options=["-D", "TESTING"],
            arguments=["symbols.in"], inputs="symbols", expect="PASS"),
    Program("hybridsort", "cuda/hybridsort", ["bucketsort.cu", "mergesort.cu", "main.cu"], options=["-D", "VERIFY"],
            arguments=["r"], expect="PASSED"),
    Program("kmeans", "cuda/kmeans", ["cluster.c", "getopt.c", "kmeans.c", "kmeans_clustering.c", "kmeans_cuda.cu", "rmse.c"]),
    Program("lavaMD", "cuda/lavaMD", ["main.c", "util/num/num.c", "util/timer/timer.c", "util/device/device.cu",
                                      "kernel/kernel_gpu_cuda_wrapper.cu"], arguments=["-boxes1d", "4"], expect="Total time",
            note="4 boxes along each side"),
    Program("leukocyte", "cuda/leukocyte/CUDA", ["avilib.c", "find_ellipse.c", "find_ellipse_kernel.cu", "track_ellipse.c",
                                                 "track_ellipse_kernel.cu", "misc_math.c", "detect_main.c"]),
    Program("lud", "cuda/lud", ["cuda/lud.cu", "cuda/lud_kernel.cu", "common/common.c"],
            options=["-I", "common", "-I", "../util"], arguments=["-s", "256", "-v"], expect="(?s)>>>Verify<<<<(?!.*dismatch)"),
    Program("mummergpu", "cuda/mummergpu/src", ["mummergpu_gold.cpp", "suffix-tree.cpp", "PoolMalloc.cpp", "mummergpu.cu",
                                                "mummergpu_main.cpp"]),
    Program("myocyte", "cuda/myocyte", ["main.cu"], arguments=["100", "1", "0"], inputs="heart_cells", expect="TIME|Time|time"),
    Program("nn", "cuda/nn", ["nn_cuda.cu"], options=["-I", "../util"],
            arguments=["filelist", "-r", "5", "-lat", "30", "-lng", "90"], inputs="hurricanes", check="nearest_hurricanes", expect="Distance="),
    Program("nw", "cuda/nw", ["needle.cu"], options=["-I", "../util"], arguments=["2048", "10"], expect="Processing"),
    Program("particlefilter/naive", "cuda/particlefilter", ["ex_particle_CUDA_naive_seq.cu"],
            arguments=["-x", "128", "-y", "128", "-z", "10", "-np", "1000"], expect="ENTIRE PROGRAM TOOK"),
    Program("particlefilter/float", "cuda/particlefilter", ["ex_particle_CUDA_float_seq.cu"],
            arguments=["-x", "128", "-y", "128", "-z", "10", "-np", "1000"], expect="ENTIRE PROGRAM TOOK"),
    Program("pathfinder", "cuda/pathfinder", ["pathfinder.cu"], options=["-I", "../util"], arguments=["10000", "100", "20"],
            expect="pyramidHeight"),
    Program("srad_v1", "cuda/srad/srad_v1", ["main.cu"], arguments=["100", "0.5", "502", "458"], inputs="speckled_picture",
            expect="Total time"),
    Program("srad_v2", "cuda/srad/srad_v2", ["srad.cu"],
            arguments=["512", "512", "0", "127", "0", "127", "0.5", "2"], expect="Computation Done"),
    Program("streamcluster", "cuda/streamcluster", ["streamcluster_cuda_cpu.cpp", "streamcluster_cuda.cu",
                                                    "streamcluster_header.cu"],
            arguments=["10", "20", "64", "8192", "8192", "1000", "none", "output.txt", "1"], expect="time", note="8,192 points"),
]


RODINIA_VERIFIES = {"hotspot3D", "lud", "huffman", "hybridsort"}  # the others print what they have computed


def gpu_rodinia(clone):
    return [dataclasses.replace(program, verifies=program.name in RODINIA_VERIFIES) for program in RODINIA
            if os.path.isdir(os.path.join(clone, program.folder))]


REPOSITORIES = {
    "cuda_programming": cuda_programming,
    "cuda-training-series": cuda_training_series,
    "cuda-samples": cuda_samples,
    "gpu-rodinia": gpu_rodinia,
}
