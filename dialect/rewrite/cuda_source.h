#pragma once
// cuda_source: a CUDA source as C++ that g++ compiles, with dialect/cuda_language.h included first. Lines stay where
// they are, and messages name the file that the learner wrote.

#include <filesystem>
#include <string>
#include <vector>

namespace dialect {

struct source_text {
  std::filesystem::path path;  ///< as messages and findings show it
  std::string text;
};

/// The sources of a program, and the headers of the learner's that they include.
struct rewritten_program {
  std::vector<source_text> sources;  ///< in the order in which they were given; begin with a #line
  /// Headers that are CUDA sources, too: their paths are the names by which the others include them.
  std::vector<source_text> headers;
};

/// Rewrites a program. Headers in quotation marks are looked for beside the file that includes them, then in the
/// folders of the sources and in `include_folders`; what isn't found there is left to the compiler.
rewritten_program rewrite_program(const std::vector<source_text>& sources,
                                  const std::vector<std::filesystem::path>& include_folders = {});

/// Whether a name ends as CUDA sources do: .cu.
bool is_cuda_name(const std::filesystem::path& file);

}  // namespace dialect
