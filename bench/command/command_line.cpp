#include "bench/command/command_line.h"

#include <CLI/CLI.hpp>

#include "bench/command/on_cores.h"
#include "bench/command/side_by_side.h"
#include "workbook/command/command_frame.h"

namespace bench {
namespace {

constexpr const char* program = "gridstride-bench";

}  // namespace

int run_command_line(int argument_count, char** arguments) {
  choices chosen;
  CLI::App options("Measures Gridstride's workloads against hand-written loops and against the limits of this machine.",
                   program);
  options.add_option("FILTER", chosen.filter, "a regular expression: only workloads in whose names it is found");
  options.add_flag("--json", chosen.json, "print one JSON document and nothing else");
  options.add_flag("--list", chosen.list, "print the workloads' names and exit");
  auto* peers = options.add_flag(
      "--peers", chosen.peers,
      "compare with Numba, NumPy, SciPy, PoCL, JAX, PyTorch, Taichi and Warp, as far as they are installed");
  options
      .add_flag("--markdown", chosen.markdown, "print the table of ours and the best peer as Markdown and nothing else")
      ->needs(peers)
      ->excludes("--json");
  options.add_flag("--quick", chosen.quick,
                   "small sizes and three rounds: shows that everything runs, measures nothing");
  options.add_flag("--one-size", chosen.one_size, "leave out how the cost grows with the size");
  options.add_flag("--cores", chosen.cores, "measure on 1, 2, ... all cores, and nothing else")->excludes("--peers");
  options.add_option("--against", chosen.against, "compare with FILE, a document that --json printed")
      ->option_text("FILE")
      ->check([](const std::string& file) { return std::string(file.empty() ? "name a file" : ""); })
      ->excludes("--cores");
  options.add_option("--serve", chosen.serve)->group("");  // for --cores
  auto* seconds = options.add_option("--seconds", chosen.seconds,
                                     "time for the whole run; the default is three times as long with --peers");
  seconds->check(CLI::Range(1.0, 1e5))->capture_default_str();
  options.add_option("--rounds", chosen.rounds, "measure everything exactly that many times, however long it takes")
      ->check(CLI::Range(1, 10000))
      ->excludes("--seconds");
  if (const auto status = workbook::parse_words(options, argument_count, arguments, program)) return *status;
  if (chosen.peers && seconds->count() == 0) chosen.seconds *= 3;  // three to four times as many entrants
  if (chosen.markdown) chosen.one_size = true;                     // the table shows no other
  return workbook::run_command(program, [&] {
    if (!chosen.serve.empty()) return serve(chosen);
    const auto measure = chosen.cores && !chosen.list ? measure_on_cores : measure_side_by_side;
    return measure(chosen, begin_record(argument_count, arguments));
  });
}

}  // namespace bench
