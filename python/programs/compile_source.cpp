// gridstride-python-compile: compiles a source of Python's to a module, by the workshop.
//
// Reads a JSON object from standard input:
//   name      what the source is called in messages: "wave.cpp"
//   text      the source
//   bindings  what is compiled after it
//   folder    where a copy of the source lies, which findings and the debugger show
//   include   folders for #include "..."
//   flags     more flags of the compiler
//   checked   whether for the instruments
//   into      the module's file
// Writes a JSON object to standard output: {"seconds": 0.4}, or what went wrong: "asked", "found", "do", and perhaps
// "messages", "line" and "column". Exit status: 0 in both cases, 2 for wrong usage, 3 for what the machine lacks.

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "exercises/explain/compile_mistakes.h"
#include "exercises/explain/compiler_text.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workshop/compilation.h"
#include "workshop/interrupt.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The bindings follow the source in the same file, under another name.
std::string with_bindings(const json& request) {
  return request.at("text").get<std::string>() + "\n#line 1 \"the bindings for Python\"\n" +
         request.at("bindings").get<std::string>();
}

workshop::compile_request request_for(const json& request) {
  const std::string name = request.at("name"), asked = "compile " + gs::detail::printable(name);
  const auto f = request.at("checked").get<bool>() ? workshop::flavour::checked : workshop::flavour::plain;
  workshop::compile_request compiled{
      .purpose = asked,
      .parts = workshop::read_parts(workshop::build_folder(f) / "python/programs/parts.json", asked, f, "python_parts"),
      .sources = {{.path = name, .text = with_bindings(request)}},
      .product = workshop::product::module,
      .flags = {"-Werror=return-type", "-fvisibility=hidden", "-Wno-unused-function"}};
  // For the instruments, places are those of the copy that is compiled, as in the compiler's notes of its accesses;
  // gridstride-python-inspect puts the source's there.
  if (f == workshop::flavour::plain) compiled.shown_folder = request.at("folder").get<std::string>();
  for (const auto& flag : request.at("flags")) compiled.flags.push_back(flag);
  for (const auto& include : request.at("include")) compiled.include_folders.emplace_back(include.get<std::string>());
  return compiled;
}

json error_json(const gs::error& e) { return {{"asked", e.asked()}, {"found", e.found()}, {"do", e.advice()}}; }

json failure_json(const workshop::compile_failure& failure, const json& request, const fs::path& folder) {
  const std::string name = request.at("name"), text = request.at("text");
  json told = {{"asked", "compile " + gs::detail::printable(name)},
               {"found", gs::detail::printable(failure.text)},
               {"do", "correct the source"}};
  if (failure.reason != workshop::compile_failure::cause::error) {
    told["do"] = "make the source smaller, or try again when the machine is less busy";
    return told;
  }
  const exercises::learner_message message = exercises::learner_messages(failure.messages, folder / name, name, text);
  const gs::source_place place = message.place.line > 0 ? message.place : failure.place;
  if (const std::string advice = exercises::advice_for(failure.messages, name, exercises::compiled_with::nothing);
      !advice.empty())
    told["do"] = advice;
  told["messages"] = gs::detail::printable(message.text);
  told["line"] = place.line;
  told["column"] = place.column;
  return told;
}

// The module takes its place at once: another program may be about to open it.
void move_into_place(const fs::path& module, const fs::path& into) {
  const fs::path beside = into.string() + "." + std::to_string(getpid());
  fs::copy_file(module, beside, fs::copy_options::overwrite_existing);
  fs::rename(beside, into);
}

json compile(const json& request) {
  workshop::compilation steps(request_for(request));
  std::optional<workshop::compile_failure> failed = steps.compile();
  if (!failed) failed = steps.link();
  if (failed) return failure_json(*failed, request, steps.folder());
  const workshop::compiled_product product = steps.result();
  move_into_place(product.file, request.at("into").get<std::string>());
  return {{"seconds", product.seconds}};
}

}  // namespace

int main() {
  try {
    const workshop::tidy_interrupts tidy;
    const json request = json::parse(std::string(std::istreambuf_iterator<char>(std::cin), {}));
    std::cout << compile(request).dump() << "\n";
    return 0;
  } catch (const gs::machine_error& e) {
    std::cout << error_json(e).dump() << "\n";
    return 3;
  } catch (const gs::error& e) {
    std::cout << error_json(e).dump() << "\n";
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "gridstride-python-compile: " << e.what() << "; give a request as JSON on standard input\n";
    return 2;
  }
}
