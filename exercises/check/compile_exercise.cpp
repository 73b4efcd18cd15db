#include "exercises/check/compile_exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exercises/check/declarations.h"
#include "exercises/check/kept_checks.h"
#include "exercises/explain/compile_mistakes.h"
#include "exercises/explain/compiler_text.h"
#include "exercises/explain/nvcc_text.h"
#include "runtime/core/printable.h"
#include "workshop/compilation.h"
#include "workshop/compiler_messages.h"
#include "workshop/cuda_sources.h"
#include "workshop/file_text.h"
#include "workshop/source_file.h"

namespace exercises {
namespace {

namespace fs = std::filesystem;
using workshop::interruption;

workshop::compilation_parts parts(workshop::flavour f) {
  return workshop::read_parts(workshop::build_folder(f) / "exercises/parts.json", "compile an exercise", f,
                              "exercise_parts");
}

workshop::compile_request request_for(workshop::source_file source, const fs::path& checks, workshop::isolation level,
                                      const interruption& interrupt, const std::string& shown_name,
                                      workshop::flavour f) {
  const fs::path folder = source.path.parent_path();
  workshop::compile_request request{.purpose = "compile " + shown_name,
                                    .parts = parts(f),
                                    .sources = {std::move(source)},
                                    .includer = {{.file = checks, .macro = "GRIDSTRIDE_EXERCISE"}},
                                    .shown_folder = folder,  // findings and crashes are to name the learner's file
                                    .seconds = compile_seconds,
                                    .memory_bytes = compile_memory_bytes,
                                    .level = level,
                                    .interrupt = interrupt};
  // In a stronger sandbox the file has no headers beside it.
  if (level == workshop::isolation::limits) request.include_folders = {folder};
  // Warnings are left to the learner, except for those that would end in a crash or in no effect.
  request.flags = {"-Werror=return-type", "-Werror=unused-result"};
  if (f != workshop::flavour::cuda) {
    if (workshop::is_cuda(request.sources))
      workshop::compile_as_cuda(request, level == workshop::isolation::limits ? workshop::cuda_headers::beside_sources
                                                                              : workshop::cuda_headers::none);
    return request;
  }
  request.seconds = nvcc_seconds;
  std::erase_if(request.parts.flags, [](const std::string& flag) {
    return flag.starts_with("-O") || flag.starts_with("-Xcompiler=-W");  // all warnings for g++ stand in one word
  });
  // A call of a host function from device code is only a warning of nvcc's, and undefined on the GPU.
  request.flags = {"-O1", "-Werror=cross-execution-space-call", "-Xcompiler=-Werror=return-type"};
  return request;
}

// Fills in what the learner reads of a failed step. `text` is their source, `copy` the path that messages give it.
void fail(exercise_result& r, const workshop::compile_failure& failure, const fs::path& copy, const std::string& text,
          bool by_nvcc) {
  using cause = workshop::compile_failure::cause;
  r.text = failure.text;
  r.outcome = failure.reason == cause::out_of_time     ? outcome::timed_out
              : failure.reason == cause::out_of_memory ? outcome::out_of_memory
                                                       : outcome::compile_error;
  if (r.outcome != outcome::compile_error) return;
  const std::string name = copy.filename().string();
  const std::string messages = by_nvcc ? nvcc_as_gcc(failure.messages, copy.string(), text) : failure.messages;
  if (const std::string error = workshop::first_error_text(messages); by_nvcc && failure.step == "compiling")
    r.text = gs::detail::printable(error);
  r.place = workshop::first_error(messages, name);
  learner_message shortened = learner_messages(messages, copy, r.file, text);
  if (shortened.place.line > 0) r.place = shortened.place;
  if (r.place.line > 0) r.place.file = r.file;
  r.advice = advice_for(messages, name);
  r.messages = gs::detail::printable(std::move(shortened.text));
}

// Whether the file compiles, and the checks can't call what it has.
bool is_error_of(const fs::path& checks, const std::string& messages) {
  const std::string line = messages.substr(0, messages.find(": error: "));
  return line.substr(line.rfind('\n') + 1).starts_with(checks.string() + ":");
}

// For such a file in CUDA C++.
std::string advice_on_signatures(const workbook::catalogue_exercise& exercise) {
  return fmt::format(
      "The checks call what lessons/{}/exercise.cpp begins, with its names and parameters. A function with a "
      "gs::thread, "
      "gs::block or gs::view stays one of gs; what is called by the host, or with plain numbers, can be CUDA C++.",
      exercise.folder());
}

struct steps_taken {
  std::unique_ptr<workshop::compilation> steps;
  std::optional<workshop::compile_failure> failed = {};
};

// Compiles the file alone and links it with checks that know its declarations. Nothing where that could differ from
// checks with the file in them.
std::optional<steps_taken> compile_apart(const workshop::compile_request& whole, const std::string& name) {
  const auto declarations = declarations_of(whole.sources.front().text);
  const fs::path& checks = whole.includer->file;
  if (!declarations || !can_be_compiled_apart(workshop::read_text(checks, "reading the checks"))) return std::nullopt;
  workshop::compile_request with_declarations = whole, alone = whole;
  with_declarations.sources.front().text = *declarations;
  alone.includer.reset();
  kept_checks checks_apart(std::move(with_declarations), workshop::build_folder(whole.parts.flavour) / "exercises/kept",
                           name);
  steps_taken attempt{.steps = std::make_unique<workshop::compilation>(std::move(alone))};
  attempt.failed = attempt.steps->compile();
  if (attempt.failed) return attempt;
  const auto object = checks_apart.take();
  if (!object) return std::nullopt;
  attempt.failed = attempt.steps->link({object->file});
  if (!attempt.failed || attempt.failed->reason == workshop::compile_failure::cause::interrupted) return attempt;
  checks_apart.forget();
  return std::nullopt;
}

steps_taken compile_whole(const workshop::compile_request& request) {
  steps_taken attempt{.steps = std::make_unique<workshop::compilation>(request)};
  attempt.failed = attempt.steps->compile();
  if (!attempt.failed) attempt.failed = attempt.steps->link();
  return attempt;
}

}  // namespace

fs::path checks_of(const workbook::catalogue_exercise& exercise) {
  return workbook::course_root() / "lessons" / exercise.folder() / "checks.cpp";
}

std::string left_out_by(const workshop::compilation_parts& parts) {
  const auto looks_for_marks = [](const std::string& flag) {
    return flag.starts_with("-fplugin=") && flag.find("device_marks") != flag.npos;
  };
  if (parts.flavour == workshop::flavour::cuda || std::ranges::any_of(parts.flags, looks_for_marks)) return "";
  return "Functions that run on the device without GS_FN were not looked for: the plugin that finds them needs g++'s "
         "headers for plugins, './gridstride doctor' says which package has them.";
}

std::vector<fs::path> readable_by_checks(workshop::flavour f) { return parts(f).readable; }

std::variant<exercise_program, std::monostate, interrupted> compile(const fs::path& file, workshop::isolation level,
                                                                    const interruption& interrupt,
                                                                    exercise_result& result, workshop::flavour f) {
  const auto began = workshop::process::clock::now();
  const fs::path source = fs::weakly_canonical(fs::absolute(file));  // a link stands for its file
  const fs::path checks = checks_of(result.exercise);
  // The file is read once: saves during the compilation make no difference.
  const workshop::source_file source_text = workshop::read_source(source, "check");
  const workshop::compile_request request =
      request_for(source_text, checks, level, interrupt, gs::detail::printable(result.file), f);
  const bool by_nvcc = f == workshop::flavour::cuda, is_cuda = workshop::is_cuda({source_text});
  if (!is_cuda) result.left_out = left_out_by(request.parts);
  std::optional<steps_taken> taken;
  // In a stronger sandbox the file is somebody else's, and no object made with it is kept.
  if (level == workshop::isolation::limits && !by_nvcc && !is_cuda)
    taken = compile_apart(request, result.exercise.label());
  if (!taken) taken = compile_whole(request);
  const auto& [steps, failed] = *taken;
  result.compile_seconds = std::chrono::duration<double>(workshop::process::clock::now() - began).count();
  if (failed && failed->reason == workshop::compile_failure::cause::interrupted) return interrupted{};
  if (failed) {
    const bool has_line_directive = by_nvcc || is_cuda;
    fail(result, *failed, has_line_directive ? source : steps->folder() / source.filename(), source_text.text, by_nvcc);
    if (is_cuda)
      result.advice = is_error_of(checks, failed->messages) ? advice_on_signatures(result.exercise)
                                                            : advice_on_cuda(failed->messages);
    return std::monostate{};
  }
  workshop::compiled_product product = steps->result();
  return exercise_program{.program = product.file, .source = source, .folder = product.folder, .flavour = f};
}

}  // namespace exercises
