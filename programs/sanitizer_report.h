#pragma once
// sanitizer_report: what compute-sanitizer writes, read and told at the lines of the source. Its format: Compute
// Sanitizer User Manual, "Memcheck Tool", "Racecheck Tool", "Initcheck Tool", "Synccheck Tool".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace programs {

struct sanitizer_finding {
  std::string tool;         ///< "memcheck"
  std::string text;         ///< "Invalid __global__ write of size 4 bytes"
  std::string file;         ///< of its first place in a source; empty: none was told
  unsigned line = 0;        ///< from 1
  std::string other_file;   ///< of the other access of a race
  unsigned other_line = 0;  ///< 0: there is none
  std::string by;           ///< "thread (63,0,0) in block (0,0,0)": the first that did it
  std::uint64_t count = 1;  ///< how often, at these places
  bool operator==(const sanitizer_finding&) const = default;
};

/// The findings in what a tool has written to its log, each once.
std::vector<sanitizer_finding> read_sanitizer_log(std::string_view tool, std::string_view log);

/// For people: each with its line of the source, which is read from the file, in the order of lines.
std::string sanitizer_text(std::vector<sanitizer_finding> findings);

}  // namespace programs
