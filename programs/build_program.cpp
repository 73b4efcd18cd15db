#include "programs/build_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "exercises/check/compile_exercise.h"
#include "exercises/explain/compile_mistakes.h"
#include "exercises/explain/compiler_text.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workbook/terminal/text_layout.h"
#include "workshop/cuda_sources.h"
#include "workshop/source_file.h"

namespace programs {
namespace {

namespace fs = std::filesystem;
using workshop::compile_failure, workshop::source_file;

constexpr std::size_t message_width = 100;
constexpr std::uint64_t symbol_bytes = 64 << 20;  // of nm's output
constexpr const char* main_symbol = "main";
constexpr const char* report_symbol = "_ZN8workbook11this_lessonEv";
constexpr const char* module_entry = "gridstride_lesson";  // workbook/module.h

std::string name_of(const source_file& source) { return gs::detail::printable(source.path.filename().string()); }

// A binary file, such as a program or a picture, has a NUL or many control characters. (An escape character in a
// string is C++, and bytes above 127 may be any encoding's.)
bool is_text(const std::string& text) {
  const auto is_control = [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return code == 127 || (code < ' ' && std::string_view("\t\n\v\f\r").find(letter) == std::string_view::npos);
  };
  const auto controls = static_cast<std::size_t>(std::ranges::count_if(text, is_control));
  return text.find('\0') == text.npos && 20 * controls <= text.size();
}

std::vector<source_file> read_sources(const program_files& files) {
  std::vector<source_file> sources;
  for (const fs::path& file : files.sources) {
    const std::string asked = "read " + gs::detail::printable(file.filename().string());
    source_file source = workshop::read_source(fs::weakly_canonical(file), "compile");  // a link stands for its file
    if (!is_text(source.text)) throw gs::error(asked, "it holds bytes that no text has", "name a C++ source");
    source.path = file;
    sources.push_back(std::move(source));
  }
  return sources;
}

std::vector<fs::path> folders_of(const std::vector<source_file>& sources) {
  std::vector<fs::path> folders;
  for (const source_file& source : sources)
    if (const fs::path folder = source.path.parent_path(); std::ranges::find(folders, folder) == folders.end())
      folders.push_back(folder);
  return folders;
}

// A source that includes none of the library's headers gets no precompiled one: it compiles here as it does elsewhere.
bool includes_the_library(const std::vector<source_file>& sources) {
  return std::ranges::any_of(sources, [](const source_file& source) {
    return source.text.find("\"runtime/") != source.text.npos || source.text.find("\"workbook/") != source.text.npos ||
           source.text.find("<runtime/") != source.text.npos || source.text.find("<workbook/") != source.text.npos;
  });
}

workshop::compile_request request_for(const program_files& files, std::vector<source_file> sources, workshop::flavour f,
                                      const workshop::interruption& interrupt, products wanted) {
  const std::string asked = "compile " + gs::detail::printable(files.shown.string());
  const bool cuda = workshop::is_cuda(sources);
  workshop::compile_request request{
      .purpose = asked,
      .parts = workshop::read_parts(workshop::build_folder(f) / "programs/parts.json", asked, f, "program_parts"),
      .sources = std::move(sources),
      .flags = {"-Werror=return-type"},
      .interrupt = interrupt};
  if (wanted == products::program_and_module)  // which uses its own functions, whatever the viewer calls its own
    request.flags.insert(request.flags.end(), {"-fvisibility=hidden", "-fvisibility-inlines-hidden"});
  request.include_folders = folders_of(request.sources);
  request.shown_folder = request.include_folders.front();  // findings and the debugger name the file itself
  // Behind the project's own: what the dialect has in place of a toolkit's headers is found first.
  for (const fs::path& folder : files.include_folders) {
    request.include_folders.push_back(folder);
    request.flags.insert(request.flags.end(), {"-I", folder.string()});
  }
  for (const std::string& definition : files.definitions) request.flags.push_back("-D" + definition);
  if (cuda)
    workshop::compile_as_cuda(request);
  else if (!includes_the_library(request.sources))
    request.parts.headers.clear();
  return request;
}

// --- which file has main ---------------------------------------------------------------------------------------------

struct definitions {
  std::vector<std::string> mains, reports;  // the files that define them
};

// `nm -A` writes "FILE:ADDRESS T NAME"; T is a function that others may call.
definitions read_definitions(const std::string& symbols, const std::vector<std::string>& objects,
                             const std::vector<source_file>& sources) {
  definitions found;
  std::istringstream lines(symbols);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t kind = line.find(" T ");
    if (kind == line.npos) continue;
    const std::string symbol = line.substr(kind + 3);
    if (symbol != main_symbol && symbol != report_symbol) continue;
    for (std::size_t k = 0; k < objects.size(); ++k)
      if (line.starts_with(objects[k] + ":"))
        (symbol == main_symbol ? found.mains : found.reports).push_back(name_of(sources[k]));
  }
  return found;
}

entry entry_of(const definitions& found, const std::string& asked, bool is_folder) {
  const std::size_t count = found.mains.size() + found.reports.size();
  if (count == 1) return found.mains.empty() ? entry::report : entry::main;
  if (count == 0)
    throw gs::error(asked, "it has no main", "write int main(), or workbook::this_lesson() for a report with plots");
  std::vector<std::string> names = found.mains;
  names.insert(names.end(), found.reports.begin(), found.reports.end());
  throw gs::error(asked, fmt::format("there are {} mains, in {}", count, fmt::join(names, " and ")),
                  is_folder ? "name the files of one program instead of the folder" : "leave all but one out");
}

// --- texts about sources that don't build ----------------------------------------------------------------------------

const source_file& source_with_error(const std::vector<source_file>& sources, const std::string& name) {
  for (const source_file& source : sources)
    if (source.path.filename() == name) return source;
  return sources.front();
}

std::string failure_text(const compile_failure& failure, const std::vector<source_file>& sources,
                         const fs::path& folder) {
  if (failure.reason != compile_failure::cause::error) return failure.text + "\n";
  const source_file& source = source_with_error(sources, failure.place.file);
  const std::string name = source.path.filename().string();
  const fs::path compiled = workshop::is_cuda(sources) ? source.path : folder / name;  // whose copies have a #line
  const bool by_linker = failure.step == "linking";
  std::string text =
      gs::detail::printable(name) + (by_linker ? " compiles, but can't be linked.\n\n" : " doesn't compile.\n\n");
  if (const std::string advice = workshop::is_cuda(sources)
                                     ? exercises::advice_on_cuda(failure.messages)
                                     : exercises::advice_for(failure.messages, name, exercises::compiled_with::nothing);
      !advice.empty())
    text += workbook::wrap(advice, message_width) + "\n";
  return text + gs::detail::printable(exercises::learner_messages(failure.messages, compiled, name, source.text).text);
}

}  // namespace

std::variant<built_program, build_failure, build_interrupted> build_program(const program_files& files,
                                                                            workshop::flavour f,
                                                                            const workshop::interruption& interrupt,
                                                                            products wanted) {
  const std::vector<source_file> sources = read_sources(files);
  const workshop::compile_request request = request_for(files, sources, f, interrupt, wanted);
  workshop::compilation steps(request);
  const auto explained =
      [&](const compile_failure& failure) -> std::variant<built_program, build_failure, build_interrupted> {
    if (failure.reason == compile_failure::cause::interrupted) return build_interrupted{};
    return build_failure{failure_text(failure, sources, steps.folder())};
  };
  if (const auto failed = steps.compile()) return explained(*failed);
  std::vector<std::string> names_of_objects{"nm", "-A"};
  names_of_objects.insert(names_of_objects.end(), steps.objects().begin(), steps.objects().end());
  const auto symbols = steps.run_tool(names_of_objects, "reading the compiled file", symbol_bytes);
  if (const auto* failed = std::get_if<compile_failure>(&symbols)) return explained(*failed);
  const entry found =
      entry_of(read_definitions(std::get<workshop::program_result>(symbols).output, steps.objects(), request.sources),
               request.purpose, fs::is_directory(files.shown));
  if (const auto failed = steps.link()) return explained(*failed);
  const bool has_module = wanted == products::program_and_module && found == entry::report;
  if (has_module)
    if (const auto failed = steps.link_module(module_entry)) return explained(*failed);
  std::string left_out = workshop::is_cuda(sources) ? "" : exercises::left_out_by(request.parts);
  if (!left_out.empty()) left_out = workbook::wrap(left_out, message_width);
  return built_program{.product = steps.result(),
                       .entry = found,
                       .module = has_module ? steps.module() : fs::path(),
                       .left_out = std::move(left_out)};
}

}  // namespace programs
