"""Which programs of a public repository use only what dialect/README.md lists: patterns over their text."""

import re

# What leaves a program out, in this order; the first that matches is the reason. Comments don't count.
RULES = [
    ("graphics", r'#\s*include\s*[<"](GL/|GLES|GLFW|EGL/|GLUT/|cudaEGL|d3d|vulkan|X11/|helper_gl|rendercheck)|cudaGraphics|'
                 r'cudaImportExternal|cudaExternal'),
    ("NVRTC or the device's linker", r'\bnvrtc|nvJitLink|nvvmCreate|\bcuLink|cuModuleLoadData'),
    ("the driver's API", r'\bcu(Init|Device|Ctx|Module|Launch|Mem|Func|Link|Stream|Event|Param|Array|Tex|Occupancy|Graph)'
                         r'[A-Z]?\w*\s*\('),
    ("textures or surfaces", r'\btexture\s*<|cudaTextureObject_t|cudaSurfaceObject_t|\bcudaArray|cudaMallocArray|\btex[123]D|'
                             r'cudaBindTexture|cudaMipmapped'),
    ("inline PTX", r'\basm\b\s*(__volatile__|volatile)?\s*\('),
    ("tensor cores", r'\bwmma\b|nvcuda|#\s*include\s*[<"]mma\.h'),
    ("several processes or devices", r'cudaIpc|\bMPI_|cudaDeviceEnablePeerAccess|cudaMemcpyPeer|cudaDeviceCanAccessPeer|cudaDeviceGetP2PAttribute|cudaSetDevice\(\s*i\s*\)|'
                                     r'cudaLaunchCooperativeKernelMultiDevice|multi_grid|cudaMemPoolExport'),
    ("dynamic parallelism", r'cudadevrt|cudaStreamFireAndForget|cudaStreamTailLaunch'),
    ("graphs made node by node", r'cudaGraphAdd\w*Node|cudaGraphConditional'),
    ("tiles of more than a warp", r'block_tile_memory'),
    ("libcu++", r'#\s*include\s*[<"]cuda/'),
    ("clusters", r'__cluster_dims__|this_cluster|cluster_group'),
    ("cuSPARSE, cuSOLVER, NPP and other libraries that aren't listed",
     r'#\s*include\s*[<"](cusparse|cusolver|npp|nvjpeg|helper_nvJPEG|nvsci|cublasXt|cufftXt|cudla|nvml|nvtx|nvToolsExt|FreeImage|Images|'
     r'ImageIO|Signal|cutil\.|cudpp)'),
    ("calls of cuBLAS that aren't listed",
     r'\bcublas[SD](?!gemm\b|gemmStridedBatched\b|gemv\b|ger\b|axpy\b|scal\b|copy\b|swap\b|dot\b|nrm2\b|asum\b|etVector|etMatrix|etPointer|etStream|etMath|estroy)[a-z]\w*\s*\(|'
     r'\bcublas[CZ](?!reate)[a-z]\w*\s*\(|\bcublasXt'),
    ("quasirandom numbers of cuRAND", r'CURAND_RNG_QUASI|curandCreateGeneratorQuasi|curandStateSobol|curandStateMtgp|MTGP32'),
    ("callbacks of cuFFT", r'cufftCallback|cufftXtSetCallback'),
    ("Windows or Tegra alone", r'#\s*include\s*[<"](nvmedia|DirectXMath)'),
]
COMPILED = [(name, re.compile(pattern)) for name, pattern in RULES]


def without_comments(text):
    """`text` without C++ comments; what stands in strings stays."""
    pattern = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//(?:\\\n|[^\n])*|/\*.*?\*/'
    return re.sub(pattern, lambda found: " " if found[0].startswith("/") else found[0], text, flags=re.S)


def launches_from_kernels(text):
    """Whether a __global__ or __device__ function launches a kernel (dynamic parallelism)."""
    for found in re.finditer(r'__(?:global|device)__[^;{}]*\{', text):
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        before = text[max(0, found.start() - 80):found.end()]
        if "<<<" in text[found.end():end] and "__host__" not in before:
            return True
    return False


def without_branches(text, defined):
    """`text` without what `#ifndef NAME` of a defined NAME leaves out."""
    for name in defined:
        text = re.sub(rf"#\s*ifndef\s+{name}\b.*?#\s*(else|endif)", "", text, flags=re.S)
    return text


def left_out_because(texts, defined=()):
    """The rule that leaves a program of these sources and headers out; empty if it is selected. `defined` are the names that
    its build defines."""
    plain = [without_branches(without_comments(text), defined) for text in texts]
    for name, pattern in COMPILED:
        if name == "dynamic parallelism" and any(launches_from_kernels(text) for text in plain):
            return name
        if any(pattern.search(text) for text in plain):
            return name
    if not any("<<<" in text or "cudaMalloc" in text or "cudaLaunch" in text or re.search(r"\bcuda[A-Z]", text)
               for text in plain):
        return "no CUDA in it"
    return ""
