#pragma once
// gpu_program: a CUDA source compiled by nvcc and run on a GPU, and inspected there by NVIDIA's own tools.

#include <filesystem>
#include <string>
#include <vector>

#include "programs/program_files.h"

namespace programs {

/// What the CUDA toolkit has here.
struct gpu_toolkit {
  std::filesystem::path nvcc, sanitizer, profiler;  ///< empty: not found
  bool has_gpu = false;
};
/// In PATH, and in the folder bin of CUDA_PATH, else of /usr/local/cuda.
gpu_toolkit find_gpu_toolkit();

/// What nvcc is called with, the program first; `program` is the file that it writes. Libraries are linked whose
/// headers the sources include.
std::vector<std::string> nvcc_command(const gpu_toolkit& toolkit, const program_files& files,
                                      const std::filesystem::path& program);

/// Builds it and runs it on the GPU; returns its status. Throws gs::machine_error if nvcc or a GPU lacks, gs::error for
/// sources that aren't CUDA's.
int run_on_gpu(const program_files& files, const gpu_toolkit& toolkit);
/// Runs it under each tool of compute-sanitizer and under ncu, as far as they are there, and prints what they say.
/// Returns 0 if they have found nothing.
int inspect_on_gpu(const program_files& files, const gpu_toolkit& toolkit);

}  // namespace programs
