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

/// Where headers in quotation marks are looked for, in this order.
struct header_folders {
  bool beside_sources = true;  ///< beside the file that includes them, and in the folders of the sources
  std::vector<std::filesystem::path> others = {};
};

/// Rewrites a program. Headers that aren't found are left to the compiler.
rewritten_program rewrite_program(const std::vector<source_text>& sources, const header_folders& headers = {});

/// Whether a name ends as CUDA sources do: .cu, or .CU where a file system has made it so.
bool is_cuda_name(const std::filesystem::path& file);

}  // namespace dialect
