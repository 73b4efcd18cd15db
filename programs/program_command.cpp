#include "programs/program_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "programs/build_in_foreground.h"
#include "programs/ending_text.h"
#include "programs/gpu_program.h"
#include "programs/new_program.h"
#include "programs/program_files.h"
#include "programs/view_program.h"
#include "programs/watch_program.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/observe/chosen_thread.h"
#include "workbook/command/command_frame.h"
#include "workbook/command/exit_status.h"
#include "workbook/command/standard_output.h"
#include "workbook/command_name.h"

namespace programs {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

constexpr const char* program = "gridstride";
constexpr const char* help = R"(Programs of your own: a file with main() is enough, in any folder.

  new FILE.cpp                     writes a program to begin with; new FILE.cu, in CUDA C++
  run [--target cuda] FILES [ARGUMENTS]
                                   builds and runs it; what follows the files is the program's own; with --target cuda
                                   nvcc compiles a .cu file, and it runs on the GPU
  watch FILES [ARGUMENTS]          builds and runs it at each save, until q
  inspect [OPTIONS] FILES [ARGUMENTS]
                                   runs it with every access of its kernels observed: races, wrong indices, memory by
                                   line; the options are those of a lesson: --json, --lines, --line N, --instruments LIST;
                                   --target cuda: a .cu file on the GPU, by compute-sanitizer and ncu
  debug [--thread 'block 3 thread 17'] FILES [ARGUMENTS]
                                   runs it in gdb, which stops where that thread of a kernel begins
  view FILES [OPTIONS]             shows the report of one that has workbook::this_lesson() in a window: plots, parameters,
                                   simulation; it is built again at each save; --render FILE.png draws it without a window

FILES are one C++ source or several, or a folder whose sources are one program; .cu is CUDA C++, .c is C. "--" ends them. Before
them may stand what a compiler is told: -I FOLDER, where else headers are, and -D NAME or -D NAME=VALUE. Instead of
main() a program may have workbook::this_lesson(), and with it parameters, checks and plots as a lesson has.
)";

// What stands before the files and what a compiler is told of them: options, and what they ask for.
words take_options(words& rest) {
  const auto is_file = [](const std::string& word) {
    std::error_code none;
    return word == "--" || (!word.starts_with('-') && (is_source_name(word) || fs::is_directory(word, none)));
  };
  const auto is_for_compiler = [](const std::string& word) { return word.starts_with("-I") || word.starts_with("-D"); };
  auto end =
      std::ranges::find_if(rest, [&](const std::string& word) { return is_file(word) || is_for_compiler(word); });
  // Without a file, the last word is what was taken for one.
  if (end == rest.end() && !rest.empty() && !rest.back().starts_with('-')) --end;
  words options(rest.begin(), end);
  rest.erase(rest.begin(), end);
  return options;
}

// Takes --target out of the options. Whether it asks for a GPU.
bool take_target(words& options, const char* command) {
  bool on_gpu = false;
  for (auto word = options.begin(); word != options.end();) {
    const bool is_pair = *word == "--target";
    if (!is_pair && !word->starts_with("--target=")) {
      ++word;
      continue;
    }
    const auto value = is_pair ? word + 1 : word;
    const std::string target = value == options.end() ? "" : is_pair ? *value : value->substr(value->find('=') + 1);
    if (target != "cuda" && target != "engine")
      throw gs::error(std::string(command) + " --target" + (target.empty() ? "" : " " + gs::detail::printable(target)),
                      "there is no such target", "use --target cuda or --target engine, before the file");
    on_gpu = target == "cuda";
    word = options.erase(word, value + 1);
  }
  return on_gpu;
}

struct task {
  workshop::flavour flavour = workshop::flavour::plain;
  std::map<std::string, std::string> variables = {};
  words options = {};  // of the inspection
  bool debugs = false;
};

child_options child_of(const built_program& built, const program_files& files, const task& asked) {
  child_options child{
      .program = built.product.file, .name = files.name, .arguments = files.arguments, .variables = asked.variables};
  child.variables.emplace("GRIDSTRIDE_PROGRAM_FILE", files.shown.string());
  if (asked.options.empty()) return child;
  child.arguments = asked.options;
  if (built.entry == entry::main) {  // programs/inspected_main.cpp
    child.variables.emplace("GRIDSTRIDE_INSPECT_MAIN", "1");
    child.arguments.emplace_back("--");
  }
  child.arguments.insert(child.arguments.end(), files.arguments.begin(), files.arguments.end());
  return child;
}

// The same in gdb.
child_options debugged(const child_options& child) {
  child_options gdb{.program = "gdb", .name = "gdb", .arguments = {"-q"}, .variables = child.variables};
  if (child.variables.contains("GRIDSTRIDE_STEP")) {
    gdb.arguments.insert(gdb.arguments.end(), {"-x", workshop::stepping_script().string(), "-ex", "run"});
  }
  gdb.arguments.insert(gdb.arguments.end(), {"--args", child.program.string()});
  gdb.arguments.insert(gdb.arguments.end(), child.arguments.begin(), child.arguments.end());
  return gdb;
}

// The same as several ranks: GRIDSTRIDE_RANKS is the launcher's command that starts them, a word a line.
child_options as_ranks(const child_options& child) {
  const char* const command = std::getenv("GRIDSTRIDE_RANKS");
  if (command == nullptr || *command == '\0') return child;
  words starter;
  std::istringstream lines(command);
  for (std::string word; std::getline(lines, word);) starter.push_back(word);
  child_options ranks{.program = starter.front(), .name = starter.front(), .variables = child.variables};
  ranks.arguments.assign(starter.begin() + 1, starter.end());
  ranks.arguments.push_back(child.program.string());
  ranks.arguments.insert(ranks.arguments.end(), child.arguments.begin(), child.arguments.end());
  return ranks;
}

int build_and_run(const program_files& files, const task& asked) {
  foreground terminal;
  auto built = build_in_foreground(files, asked.flavour, terminal);
  if (!built) return workbook::exit_failed;
  const child_options child = as_ranks(child_of(*built, files, asked));
  const int status = terminal.run(asked.debugs ? debugged(child) : child);
  built.reset();
  fmt::print(stderr, "{}", ending_text(status, files));
  end_as(status);
  return status == 128 + SIGKILL ? workbook::exit_machine_lacks : status;
}

// Before anything is compiled.
void refuse_other_than_thread(const std::string& text) {
  try {
    gs::detail::parse_chosen_thread(text);
  } catch (const gs::error& problem) {
    throw gs::error("debug --thread", gs::detail::printable(problem.found()), problem.advice());
  }
}

int run_debug(words rest) {
  const words options = take_options(rest);
  task asked{.flavour = workshop::flavour::checked, .debugs = true};
  if (!options.empty()) {
    if (options.size() != 2 || options[0] != "--thread")
      throw gs::error("debug " + options.front(), "that is no option of it, or its value is missing",
                      "write --thread 'block 3 thread 17' before the file");
    refuse_other_than_thread(options[1]);
    asked.variables.emplace("GRIDSTRIDE_STEP", options[1]);
  }
  return build_and_run(find_program_files("debug", rest), asked);
}

int run_inspect(words rest) {
  task asked{.flavour = workshop::flavour::checked, .options = take_options(rest)};
  if (take_target(asked.options, "inspect")) {
    if (!asked.options.empty())
      throw gs::error("inspect --target cuda " + gs::detail::printable(asked.options.front()),
                      "NVIDIA's tools take no such option here", "leave it out");
    return inspect_on_gpu(find_program_files("inspect", rest), find_gpu_toolkit());
  }
  asked.options.insert(asked.options.begin(), "--inspect");
  return build_and_run(find_program_files("inspect", rest), asked);
}

int run_program(words rest) {
  if (!rest.empty() && rest.front().starts_with("--target")) {
    words options = take_options(rest);
    const bool on_gpu = take_target(options, "run");
    rest.insert(rest.begin(), options.begin(), options.end());
    if (on_gpu) return run_on_gpu(find_program_files("run", rest), find_gpu_toolkit());
  }
  return build_and_run(find_program_files("run", rest), {});
}

int run_view(words rest) {
  if (rest.size() > 2 && rest.front() == "--into") {  // by the viewer, after a save
    foreground terminal;
    const program_files files = find_program_files("view", {rest.begin() + 2, rest.end()});
    return build_for_viewer(files, rest[1], terminal) ? workbook::exit_fine : workbook::exit_failed;
  }
  words options = take_options(rest);
  program_files files = find_program_files("view", rest);
  if (!files.arguments.empty() && !files.arguments.front().starts_with('-'))
    throw gs::error("view " + gs::detail::printable(files.arguments.front()),
                    "it is neither a C++ source nor an option of view",
                    workbook::command_name() + " view --help shows the options");
  options.insert(options.end(), files.arguments.begin(), files.arguments.end());
  files.arguments.clear();
  return view_program(files, options);
}

int run_new(const words& rest) {
  if (rest.size() != 1)
    throw gs::error("new", rest.empty() ? "no file is named" : "it takes one file",
                    workbook::command_name() + " new my/wave.cpp");
  write_new_program(rest.front());
  const std::string file = gs::detail::printable(rest.front());
  workbook::print_whole(
      fmt::format("{} is written. Run it: {} run {}\n", file, workbook::command_name(), workbook::for_shell(file)));
  return workbook::exit_fine;
}

int run(const words& arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", help);
    return workbook::exit_wrong_usage;
  }
  const std::string& command = arguments.front();
  const words rest(arguments.begin() + 1, arguments.end());
  const bool asks_for_help =
      command == "--help" || command == "help" || (!rest.empty() && (rest.front() == "--help" || rest.front() == "-h"));
  if (asks_for_help) {
    workbook::print_whole(help);
    return workbook::exit_fine;
  }
  if (command == "new") return run_new(rest);
  if (command == "run") return run_program(rest);
  if (command == "inspect") return run_inspect(rest);
  if (command == "debug") return run_debug(rest);
  if (command == "view") return run_view(rest);
  if (command == "watch") {
    watch_program(find_program_files("watch", rest));
    return workbook::exit_fine;
  }
  throw gs::error(gs::detail::printable(command), "there is no such command",
                  "use new, run, watch, inspect, debug or view");
}

}  // namespace

int run_program_command(int argc, const char* const* argv) {
  return workbook::run_command(program, [&] { return run(words(argv + 1, argv + argc)); });
}

}  // namespace programs
