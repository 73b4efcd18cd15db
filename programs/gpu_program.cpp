#include "programs/gpu_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "dialect/rewrite/cuda_source.h"
#include "programs/child_program.h"
#include "programs/ending_text.h"
#include "programs/foreground.h"
#include "programs/profiler_report.h"
#include "programs/sanitizer_report.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/core/text_file.h"
#include "runtime/host/descriptor.h"
#include "workbook/command/exit_status.h"
#include "workbook/command/standard_output.h"
#include "workshop/private_folder.h"

namespace programs {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

fs::path find_tool(const char* name) {
  std::string folders = std::getenv("PATH") ? std::getenv("PATH") : "";
  const char* const toolkit = std::getenv("CUDA_PATH");
  folders += ":" + std::string(toolkit ? toolkit : "/usr/local/cuda") + "/bin";
  std::istringstream list(folders);
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty() && access((fs::path(folder) / name).c_str(), X_OK) == 0) return fs::path(folder) / name;
  return {};
}

bool has_gpu_device() {
  std::error_code none;
  if (fs::exists("/dev/dxg", none)) return true;
  for (const auto& entry : fs::directory_iterator("/dev", none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("nvidia") && name.size() > 6 && name[6] >= '0' && name[6] <= '9') return true;
  }
  return false;
}

std::string asked_for(const char* command, const program_files& files) {
  return fmt::format("{} --target cuda {}", command, gs::detail::printable(files.shown.string()));
}

void check(const char* command, const program_files& files, const gpu_toolkit& toolkit) {
  const std::string asked = asked_for(command, files);
  if (std::ranges::none_of(files.sources, dialect::is_cuda_name))
    throw gs::error(asked, "nvcc takes CUDA sources, and this is none", "name a .cu file, or leave --target cuda out");
  if (toolkit.nvcc.empty())
    throw gs::machine_error(asked, "nvcc, which compiles it for a GPU, was not found",
                            "install the CUDA toolkit, or leave --target cuda out: it runs on the CPU");
  if (!toolkit.has_gpu)
    throw gs::machine_error(asked, "this machine has no NVIDIA GPU", "leave --target cuda out: it runs on the CPU");
}

// Whether it could be built; nvcc says why not.
bool build(const program_files& files, const gpu_toolkit& toolkit, const fs::path& program, foreground& terminal) {
  words command = nvcc_command(toolkit, files, program);
  child_options nvcc{.program = command.front(), .name = command.front()};
  nvcc.arguments.assign(command.begin() + 1, command.end());
  if (terminal.run(nvcc) == 0) return true;
  fmt::print(stderr, "{} doesn't compile.\n", gs::detail::printable(files.shown.string()));
  return false;
}

// A tool that runs the program; what the program prints is shown the first time only. Returns the tool's status.
int run_tool(const fs::path& tool, words arguments, const fs::path& program, const program_files& files, bool is_shown,
             foreground& terminal) {
  child_options child{.program = tool, .name = tool.string(), .arguments = std::move(arguments)};
  child.arguments.push_back(program.string());
  child.arguments.insert(child.arguments.end(), files.arguments.begin(), files.arguments.end());
  const gs::detail::descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!is_shown) child.output = nowhere.number();
  return terminal.run(child);
}

std::string text_of(const fs::path& log) {
  return fs::exists(log) ? gs::detail::read_text_file(log, "read " + log.filename().string()) : "";
}

}  // namespace

gpu_toolkit find_gpu_toolkit() {
  return {.nvcc = find_tool("nvcc"),
          .sanitizer = find_tool("compute-sanitizer"),
          .profiler = find_tool("ncu"),
          .has_gpu = has_gpu_device()};
}

std::vector<std::string> nvcc_command(const gpu_toolkit& toolkit, const program_files& files, const fs::path& program) {
  words command{toolkit.nvcc.string(), "-O3", "-std=c++17",    "-arch=native", "-lineinfo",
                "--extended-lambda",   "-o",  program.string()};
  for (const fs::path& folder : files.include_folders) command.insert(command.end(), {"-I", folder.string()});
  for (const std::string& definition : files.definitions) command.push_back("-D" + definition);
  std::string text;
  for (const fs::path& source : files.sources) {
    command.push_back(source.string());
    text += gs::detail::read_text_file(source, "compile " + source.filename().string());
  }
  constexpr std::array<std::pair<std::string_view, const char*>, 4> libraries{
      {{"cublas_v2.h", "-lcublas"}, {"cufft.h", "-lcufft"}, {"curand.h", "-lcurand"}, {"cusparse.h", "-lcusparse"}}};
  for (const auto& [header, library] : libraries)
    if (text.find(header) != text.npos) command.emplace_back(library);
  return command;
}

int run_on_gpu(const program_files& files, const gpu_toolkit& toolkit) {
  check("run", files, toolkit);
  foreground terminal;
  std::optional<workshop::private_folder> folder(std::in_place);
  const fs::path program = folder->path() / "program";
  if (!build(files, toolkit, program, terminal)) return workbook::exit_failed;
  const int status = terminal.run({.program = program, .name = files.name, .arguments = files.arguments});
  folder.reset();
  fmt::print(stderr, "{}", ending_text(status, files));
  end_as(status);
  return status;
}

int inspect_on_gpu(const program_files& files, const gpu_toolkit& toolkit) {
  check("inspect", files, toolkit);
  if (toolkit.sanitizer.empty() && toolkit.profiler.empty())
    throw gs::machine_error(asked_for("inspect", files), "neither compute-sanitizer nor ncu was found",
                            "install them with the CUDA toolkit, or leave --target cuda out: the engine inspects it");
  foreground terminal;
  std::optional<workshop::private_folder> folder(std::in_place);
  const fs::path program = folder->path() / "program", log = folder->path() / "log";
  if (!build(files, toolkit, program, terminal)) return workbook::exit_failed;
  bool is_shown = true;
  const auto log_of = [&](const fs::path& tool, words arguments) {
    std::error_code none;
    fs::remove(log, none);
    arguments.insert(arguments.end(), {"--log-file", log.string()});
    const int status = run_tool(tool, std::move(arguments), program, files, std::exchange(is_shown, false), terminal);
    std::string text = text_of(log);
    if (status > 128) {
      folder.reset();
      end_as(status);
    }
    return text;
  };
  std::vector<sanitizer_finding> findings;
  if (!toolkit.sanitizer.empty())
    for (const char* tool : {"memcheck", "racecheck", "initcheck", "synccheck"}) {
      words arguments{"--tool", tool};
      if (std::string_view(tool) == "memcheck") arguments.insert(arguments.end(), {"--leak-check", "full"});
      for (sanitizer_finding& f : read_sanitizer_log(tool, log_of(toolkit.sanitizer, std::move(arguments))))
        findings.push_back(std::move(f));
    }
  std::string text = sanitizer_text(findings);
  if (toolkit.sanitizer.empty())
    text += "compute-sanitizer was not found: nothing was checked.\n";
  else if (findings.empty())
    text += "No findings of compute-sanitizer: memcheck, racecheck, initcheck, synccheck.\n";
  if (toolkit.profiler.empty()) {
    text += "ncu was not found: nothing was measured.\n";
  } else {
    const std::string metrics = fmt::format("{}", fmt::join(profiled_metrics, ","));
    text += profiler_text(read_profiler_log(log_of(toolkit.profiler, {"--csv", "--metrics", metrics})));
  }
  workbook::print_whole(text);
  return findings.empty() ? workbook::exit_fine : workbook::exit_failed;
}

}  // namespace programs
