#include "assessments/grader/running/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assessments/grader/running/defined_names.h"
#include "assessments/grader/running/submission_parts.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workshop/compilation.h"
#include "workshop/compiler_messages.h"
#include "workshop/cuda_sources.h"

namespace grader {

using gs::detail::printable;
using workshop::build_folder, workshop::compile_failure, workshop::flavour, workshop::isolation,
    workshop::program_result, workshop::source_file;
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_read = 4 << 20;  // of nm's output

// A failed step, in the grader's words.
mishap mishap_of(const compile_failure& failure, const fs::path& folder) {
  using cause = compile_failure::cause;
  return {.kind = failure.reason == cause::out_of_time     ? mishap_kind::timed_out
                  : failure.reason == cause::out_of_memory ? mishap_kind::out_of_memory
                                                           : mishap_kind::compile_error,
          .text = failure.text,
          .place = failure.place,
          .details = printable(workshop::shortened(failure.messages, folder))};
}

// The names that only the runtime's libraries of this flavour define, without those that headers define as well.
std::set<std::string> names_of_runtime(const workshop::compilation_parts& parts) {
  std::set<std::string> names;
  for (const std::string& word : parts.link) {
    if (word.find("libgridstride_") == word.npos || !word.ends_with(".so")) continue;
    const program_result result =
        workshop::run_program({.command = {"nm", "--dynamic", "--extern-only", "--defined-only", "--portability", word},
                               .output_bytes = most_read},
                              60);
    if (result.status != 0 || result.timed_out || result.cut_bytes > 0)
      throw gs::machine_error("read the names of " + word,
                              "nm couldn't list them all: " + printable(result.output.substr(0, 200)),
                              "run ./gridstride test to build it again");
    for (const defined_name& name : read_names(result.output))
      if (!name.is_weak) names.insert(name.linked);
  }
  return names;
}

// The compilation of one submission into a module.
class submission_compilation {
 public:
  submission_compilation(const task& t, const source_file& source, flavour f, isolation level, unsigned slot)
      : task_(t), parts_(parts_of(t, f)), steps_(request_for(source, level, slot)) {}

  std::variant<workshop::compiled_product, mishap> run() {
    if (const auto failed = steps_.compile()) return mishap_of(*failed, steps_.folder());
    if (auto problem = check_names()) return std::move(*problem);
    if (const auto failed = steps_.link())
      return failed->messages.find("undefined reference to `" + task_.function + "(") != std::string::npos
                 ? missing_function()
                 : mishap_of(*failed, steps_.folder());
    return steps_.result();
  }

 private:
  workshop::compile_request request_for(const source_file& source, isolation level, unsigned slot) const {
    constexpr double nvcc_factor = 3;  // it compiles a file for the host and for each kind of GPU
    const bool by_nvcc = parts_.flavour == flavour::cuda;
    workshop::compile_request request{
        .purpose = "compile " + printable(source.path.filename().string()) + " in a sandbox (" + to_string(level) + ")",
        .parts = parts_,
        .sources = {source},
        .product = workshop::product::module,
        .flags = by_nvcc ? std::vector<std::string>{} : std::vector<std::string>{"-Winvalid-pch"},
        .seconds = task_.limits.compile_seconds * (by_nvcc ? nvcc_factor : 1),
        .memory_bytes = task_.limits.compile_memory_bytes,
        .level = level,
        .slot = slot};
    if (!by_nvcc && workshop::is_cuda(request.sources))
      workshop::compile_as_cuda(request, workshop::cuda_headers::none);
    return request;
  }

  std::optional<mishap> check_names() {
    const auto list_names = [&](const char* format, std::uint64_t bytes) {
      return steps_.run_tool({"nm", "--extern-only", "--defined-only", format, steps_.objects().at(0)},
                             "reading the compiled file", bytes);
    };
    const auto names = list_names("--portability", most_read);
    if (const auto* failed = std::get_if<compile_failure>(&names)) return mishap_of(*failed, steps_.folder());
    if (const auto& listed = std::get<program_result>(names); listed.cut_bytes > 0)
      return mishap{.kind = mishap_kind::refused,
                    .text = fmt::format("It defines too many names: they take {:.1f} MB, and only {:.0f} MB are "
                                        "searched for names that it may not define. Make functions static, or "
                                        "give them shorter names.",
                                        static_cast<double>(listed.output.size() + listed.cut_bytes) / 1e6,
                                        static_cast<double>(most_read) / 1e6)};
    names_ = read_names(std::get<program_result>(names).output);
    const auto sections = list_names("--format=sysv", 4 * most_read);
    if (const auto* failed = std::get_if<compile_failure>(&sections)) return mishap_of(*failed, steps_.folder());
    demote_declared_weak(names_, std::get<program_result>(sections).output);
    const auto taken = taken_name(names_, names_of_runtime(parts_));
    if (!taken) return std::nullopt;
    if (taken->name == "main")
      return mishap{.kind = mishap_kind::refused,
                    .text = fmt::format(
                        "It defines main, and the program that calls it has one already: leave yours out. The grader "
                        "calls {} itself.",
                        task_.function)};
    return mishap{.kind = mishap_kind::refused,
                  .text = fmt::format("It defines {}, a name of the system's libraries, the runtime or the "
                                      "program that calls it. Give your function another name, or make it static.",
                                      taken->name)};
  }

  mishap missing_function() const {
    mishap m{.kind = mishap_kind::missing_function};
    const auto overload = std::ranges::find_if(
        names_, [&](const defined_name& name) { return name.name.starts_with(task_.function + "("); });
    if (overload == names_.end())
      m.text = fmt::format("It doesn't define the function {}.", task_.function);
    else
      m.text = fmt::format("It defines {}, whose parameters differ from the task's function.", overload->name);
    m.details = task_.signature;
    return m;
  }

  const task& task_;
  const workshop::compilation_parts parts_;
  workshop::compilation steps_;
  std::vector<defined_name> names_;
};

}  // namespace

std::variant<compiled_module, mishap> compile(const task& t, const source_file& source, flavour f, isolation level,
                                              unsigned slot) {
  auto result = submission_compilation(t, source, f, level, slot).run();
  if (auto* problem = std::get_if<mishap>(&result)) return std::move(*problem);
  const auto& product = std::get<workshop::compiled_product>(result);
  return compiled_module{.module = product.file,
                         .flavour = f,
                         .seconds = product.seconds,
                         .on_gpu = f == flavour::cuda,
                         .folder = product.folder};
}

std::optional<compiled_module> built_baseline(const task& t, flavour f) {
  const fs::path module = built_folder(t, f) / "baseline.so";
  if (!fs::exists(module)) return std::nullopt;
  return compiled_module{.module = module, .flavour = f, .on_gpu = f == flavour::cuda};
}

}  // namespace grader
