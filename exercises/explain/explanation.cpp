#include "exercises/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "exercises/explain/compile_mistakes.h"
#include "exercises/explain/compiler_text.h"
#include "exercises/explain/nvcc_text.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/core/text_file.h"
#include "workbook/catalogue.h"
#include "workbook/exercise/text_lines.h"
#include "workbook/terminal/text_layout.h"
#include "workshop/compiler_messages.h"

namespace exercises {
namespace {

constexpr std::size_t message_width = 100;

// Nothing where it can't be read: the compiler has said so.
std::string text_of(const std::filesystem::path& file) try {
  return gs::detail::read_text_file(file, "reading " + file.string());
} catch (const gs::error&) {
  return "";
}

// "lessons/06_gaussian_pdf/lesson.cpp", wherever the course lies.
std::string name_of(const std::filesystem::path& lesson) {
  return (std::filesystem::path("lessons") / lesson.parent_path().filename() / lesson.filename()).string();
}

// Ninja prints its steps, and the whole command of one that failed.
std::string without_commands(const std::string& build_output) {
  std::string out;
  bool is_command = false;
  for (const std::string_view line : workbook::lines_of(build_output)) {
    const bool drops = is_command || line.starts_with("FAILED: ") || line.starts_with("ninja: ") ||
                       line.starts_with("cc1plus: all warnings being treated as errors") ||
                       (line.starts_with('[') && line.find("] ") != line.npos);
    is_command = line.starts_with("FAILED: ");
    if (!drops) out.append(line).append("\n");
  }
  return out;
}

std::string explanation(const std::string& title, const std::string& advice, const std::string& messages) {
  std::string text = title + "\n\n";
  if (!advice.empty()) text += workbook::wrap(advice, message_width) + "\n";
  return text + gs::detail::printable(messages);
}

}  // namespace

std::string explained_errors(const std::string& build_output, const std::filesystem::path& lesson) {
  const std::string source = text_of(lesson), name = name_of(lesson);
  std::string messages = without_commands(build_output);
  if (messages.find("): error") != messages.npos) messages = nvcc_as_gcc(messages, lesson.string(), source);
  const bool by_linker =
      messages.find("undefined symbol: ") != messages.npos || messages.find("undefined reference to ") != messages.npos;
  const bool by_compiler = workshop::first_error(messages, lesson.filename().string()).line > 0;
  if (!by_linker && !by_compiler) return "";
  const bool by_mark = workshop::first_error_text(messages).find(" runs on the device and isn't ") != messages.npos;
  return explanation(name + (by_linker ? " compiles, but can't be linked."
                             : by_mark ? " doesn't compile for a GPU."
                                       : " doesn't compile."),
                     advice_for(messages, lesson.filename().string()),
                     learner_messages(messages, lesson, name, source).text);
}

}  // namespace exercises
