#pragma once
// The exchange of many ranks on a network that isn't there: SimGrid's SMPI replays each rank's messages, with its
// computation replaced by the seconds that it takes. See Casanova, Giersch, Legrand, Quinson, Suter: "Versatile,
// scalable, and accurate simulation of distributed applications and platforms" (2014).

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "lessons/41_distributed_diffusion/parts.h"
#include "runtime/core/error.h"

namespace simulated_network {

namespace fs = std::filesystem;

/// Each machine has a cable of its own to a switch.
struct network {
  double latency = 0;    ///< from machine to machine, s
  double bandwidth = 0;  ///< of a cable, in each direction, B/s
};

inline constexpr int replayed_steps = 5;

/// A folder for SimGrid's files, removed with its owner.
class working_folder {
 public:
  working_folder() {
    std::string name = (fs::temp_directory_path() / "gridstride_simgrid.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw gs::machine_error("making a folder for SimGrid", "it can't be written", "set TMPDIR to a folder with room");
    path_ = name;
  }
  ~working_folder() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  working_folder(const working_folder&) = delete;
  working_folder& operator=(const working_folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// A cluster of SimGrid: a message crosses the cables of two machines, each with half of the latency. A processor makes
// one operation a nanosecond, so that nanoseconds can be replayed.
inline void write_platform(const fs::path& folder, const network& n, std::size_t ranks) {
  std::ofstream(folder / "platform.xml") << "<?xml version='1.0'?>\n"
                                            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                                            "<platform version=\"4.1\">\n"
                                            "  <cluster id=\"machines\" prefix=\"m\" suffix=\"\" radical=\"0-"
                                         << ranks - 1 << "\" speed=\"1Gf\" bw=\"" << n.bandwidth << "Bps\" lat=\""
                                         << n.latency / 2 << "s\"/>\n</platform>\n";
  std::ofstream hosts(folder / "hosts");
  for (std::size_t r = 0; r < ranks; ++r) hosts << 'm' << r << '\n';
}

// SMPI's own format of a rank's actions: number of the rank, action, partner, tag, count, type (6: bytes).
inline void write_trace(const fs::path& folder, const parts::grid& g, std::size_t rows, std::size_t columns,
                        double seconds_a_cell) {
  std::ofstream(folder / "traces") << "trace\n";
  std::ofstream trace(folder / "trace");
  for (std::size_t r = 0; r < g.ranks(); ++r) {
    const parts::rectangle own = g.part(r, rows, columns);
    const std::size_t inner = (std::max<std::size_t>(own.rows, 2) - 2) * (std::max<std::size_t>(own.columns, 2) - 2);
    const auto compute = [&](std::size_t cells) {
      trace << r << " compute " << static_cast<double>(cells) * seconds_a_cell * 1e9 << '\n';
    };
    const auto message = [&](const char* action, parts::side s) {
      if (const int to = g.neighbour(r, s); to >= 0)
        trace << r << ' ' << action << ' ' << to << " 0 " << sizeof(float) * (is_row(s) ? own.columns : own.rows)
              << " 6\n";
    };
    trace << r << " init\n";
    for (int step = 0; step < replayed_steps; ++step) {
      for (const parts::side s : parts::all_sides) message("irecv", s);
      for (const parts::side s : parts::all_sides) message("isend", s);
      compute(inner);
      trace << r << " waitall\n";
      compute(own.cells() - inner);
    }
    trace << r << " finalize\n";
  }
}

/// Seconds that a step of such a field takes in the simulation. Throws gs::machine_error where there is no SimGrid.
inline double seconds_a_step(const network& n, const parts::grid& g, std::size_t rows, std::size_t columns,
                             double seconds_a_cell) {
  const working_folder folder;
  write_platform(folder.path(), n, g.ranks());
  write_trace(folder.path(), g, rows, columns, seconds_a_cell);
  const std::string asked = "simulating " + std::to_string(g.ranks()) + " ranks";
  const std::string command = "cd '" + folder.path().string() + "' && smpirun -np " + std::to_string(g.ranks()) +
                              " -platform platform.xml -hostfile hosts -replay traces --cfg=smpi/host-speed:1Gf 2>&1";
  FILE* const smpirun = popen(command.c_str(), "r");
  if (smpirun == nullptr) throw gs::machine_error(asked, "smpirun can't be started", "end other programs");
  std::string said;
  for (std::array<char, 4096> text{}; std::fgets(text.data(), static_cast<int>(text.size()), smpirun) != nullptr;)
    said += text.data();
  const int status = pclose(smpirun);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw gs::machine_error(asked, "SimGrid's smpirun was not found",
                            "install libsimgrid-dev, or leave --simulated out");
  const std::string result = "Simulation time ";
  const std::size_t at = said.rfind(result);
  if (status != 0 || at == said.npos)
    throw gs::machine_error(asked, "smpirun failed: " + said.substr(said.size() > 300 ? said.size() - 300 : 0),
                            "leave --simulated out");
  return std::strtod(said.c_str() + at + result.size(), nullptr) / replayed_steps;
}

}  // namespace simulated_network
