#pragma once
// The machine: its processor, its caches, and how busy it is.

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// One level of cache. Bytes of one instance, and how many cores share it.
struct cache {
  int level;
  std::size_t bytes;
  int cores;
};

struct machine {
  std::string processor;      ///< "AMD EPYC 7B13", or its architecture where the system doesn't name it
  std::string architecture;   ///< "x86_64"
  int cores;                  ///< that this process may use
  std::vector<cache> caches;  ///< data and unified caches, L1 first
  std::string vector_width;   ///< what this program was compiled for: "AVX-512 (512 bits)"
  std::string huge_pages;     ///< "always", "madvise" or "never"; "unknown" where the system doesn't say
  std::size_t memory;         ///< bytes
  std::string gpu;            ///< its name, or "none: " and the reason
  double load;                ///< average number of running threads over the last minute, before the run
};

machine this_machine();

/// Bytes of the last level of cache; 32 MiB where the system doesn't say.
std::size_t last_level_cache(const machine& m);

}  // namespace bench
