#include "runtime/inspect/inspect.h"

#include <chrono>
#include <string_view>

#include "runtime/core/error.h"
#include "runtime/inspect/compile_command.h"
#include "runtime/inspect/compiler_dump.h"
#include "runtime/inspect/find_widenings.h"
#include "runtime/inspect/promotion_warnings.h"
#include "runtime/inspect/run_compiler.h"

namespace gs::inline GS_FLAVOUR::inspecting {
namespace {

// "PFffE", the type of a pointer to float(float), becomes "(float)".
std::string argument_list(const char* type) {
  std::string text = demangled_type(type);
  if (text.ends_with(" noexcept")) text.resize(text.size() - 9);
  const std::size_t pointer = text.find("(*)");
  return pointer == text.npos ? text : text.substr(pointer + 3);
}

// A namespace without a name is "{anonymous}" to g++, "_GLOBAL__N__68a4_5_a_cpp_76" to nvcc and "(anonymous namespace)"
// to clang.
std::string with_plain_namespaces(std::string text) {
  constexpr std::string_view of_clang = "(anonymous namespace)";
  for (std::size_t at = text.find(of_clang); at != text.npos; at = text.find(of_clang))
    text.replace(at, of_clang.size(), "{anonymous}");
  for (std::size_t at = text.find("_GLOBAL__N_"); at != text.npos; at = text.find("_GLOBAL__N_")) {
    const std::size_t end = text.find("::", at);
    text.replace(at, end == text.npos ? end : end - at, "{anonymous}");
  }
  return text;
}

// Compilers disagree on blanks, too.
std::string plain_name(const std::string& name) {
  std::string plain = with_plain_namespaces(name);
  std::erase(plain, ' ');
  return plain;
}

// Whether g++ means the function that the inspected program's own compiler calls `name`.
bool has_name(const dumped_function& function, const std::string& name) {
  std::string label = plain_name(function.label);
#if defined(__clang__)  // which names a template without its arguments
  if (label.ends_with('>')) {
    std::size_t begin = label.size(), depth = 0;
    do {
      --begin;
      if (label[begin] == '>') ++depth;
      if (label[begin] == '<') --depth;
    } while (depth > 0 && begin > 0);
    if (depth == 0) label.resize(begin);
  }
#endif
  return label == plain_name(name);
}

void look_for_widenings(const std::string& build_folder, const std::vector<function_to_find>& wanted,
                        type_report& report) {
  const compile_command command = inspection_command(build_folder, report.source);
  const compiler_output output = run_compiler(command.arguments, command.directory);
  if (output.status != 0) {
    const std::string error = first_error(output.standard_error);
    throw machine_error("inspect the types in " + report.source,
                        command.arguments[0] +
                            (error.empty() ? " ended with status " + std::to_string(output.status) : " says: " + error),
                        "the inspector needs a file that g++ accepts");
  }
  const std::vector<dumped_function> functions = read_compiler_dump(output.standard_output);
  std::vector<std::size_t> roots;
  std::string missing;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    specialisation& s = report.specialisations[k];
    for (std::size_t i = 0; i < functions.size() && !s.found; ++i) {
      if (!has_name(functions[i], wanted[k].name)) continue;
      if (!functions[i].name.ends_with(argument_list(wanted[k].type))) continue;
      s.found = true;
      s.function = functions[i].name;
      s.file = functions[i].file;
      s.first_line = functions[i].first_line;
      s.last_line = functions[i].last_line;
      roots.push_back(i);
    }
    if (!s.found) missing += (missing.empty() ? "" : ", ") + s.function;
  }
  found_widenings found = find_widenings(functions, roots, read_promotion_warnings(output.standard_error));
  report.widenings = std::move(found.widenings);
  report.not_seen = std::move(found.not_seen);
  if (!missing.empty()) {
    report.reason = "inspect the types in " + report.source + ": it has no body for " + missing +
                    "; call inspect_types from the file that defines the function";
  } else if (!report.not_seen.empty()) {
    std::string callees;
    for (const std::string& callee : report.not_seen) callees += (callees.empty() ? "" : ", ") + callee;
    report.reason = "inspect the types in " + report.source + ": its functions call " + callees +
                    ", whose source is elsewhere; inspect that file too";
  }
  report.complete = report.reason.empty();
}

}  // namespace

type_report inspect(const std::vector<function_to_find>& functions, const std::string& source, bool compiled_for_cuda) {
  return inspect_in(GRIDSTRIDE_BUILD_DIR, functions, source, compiled_for_cuda);
}

type_report inspect_in(const std::string& build_folder, const std::vector<function_to_find>& functions,
                       const std::string& source, bool compiled_for_cuda) {
  const auto start = std::chrono::steady_clock::now();
  type_report report;
  report.source = source;
  report.targets = {"cpu", "parallel", "engine"};
  if (compiled_for_cuda) report.targets.emplace_back("cuda");
  for (const function_to_find& function : functions) {
    report.specialisations.push_back(function.signature);
    report.specialisations.back().text = with_plain_namespaces(function.signature.text);
    report.specialisations.back().function = with_plain_namespaces(function.name) + argument_list(function.type);
  }
  try {
    look_for_widenings(build_folder, functions, report);
  } catch (const error& problem) {
    report.reason = problem.what();
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
