#pragma once
// Programs that a test starts, alone or as ranks of an MPI, and what they print.

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <ostream>
#include <string>

namespace world_test {

struct ended {
  int status;
  std::string output;
};

inline ended run(const std::string& command) {
  std::FILE* const pipe = popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (!pipe) return {-1, "no pipe"};
  std::string output;
  std::array<char, 4096> piece{};
  for (std::size_t n = 0; (n = fread(piece.data(), 1, piece.size(), pipe)) > 0;) output.append(piece.data(), n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output};
}

struct mpi {
  std::string name, mpirun;
};
inline void PrintTo(const mpi& m, std::ostream* out) { *out << m.name; }

/// The command that starts `program`, with its arguments, as so many ranks. A hung program ends before the test does.
inline std::string launch(const mpi& m, int ranks, const std::string& program, const std::string& before = "") {
  const std::string allowed = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ";
  const std::string options = m.name == "openmpi" ? " --oversubscribe --mca btl ^tcp" : "";  // as the launcher does
  return allowed + "timeout 200 " + before + m.mpirun + options + " -n " + std::to_string(ranks) + " " + program;
}

inline bool holds(const std::string& output, const std::string& text) { return output.find(text) != std::string::npos; }

}  // namespace world_test
