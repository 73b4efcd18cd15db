#include "exercises/explain/compiler_text.h"

#include <fmt/format.h>

#include <regex>
#include <string_view>
#include <vector>

#include "exercises/explain/source_functions.h"
#include "workbook/catalogue.h"
#include "workbook/exercise/text_lines.h"

namespace exercises {
namespace {

constexpr std::size_t most_errors = 3, most_other_lines = 20;

void replace_all(std::string& text, const std::string& part, const std::string& by) {
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + by.size()))
    text.replace(at, part.size(), by);
}

bool has(std::string_view line, std::string_view part) { return line.find(part) != line.npos; }

bool is_error(std::string_view line) {
  return (has(line, ": error: ") || has(line, ": fatal error: ")) && !line.starts_with("collect2: ");
}
bool is_remark(std::string_view line) { return has(line, ": note: ") || has(line, ": warning: "); }

// What g++ says before an error that is in a template or a header.
bool is_context(std::string_view line) {
  return line.starts_with("In file included from ") || line.starts_with("                 from ") ||
         has(line, ": In ") || has(line, ": At global scope:") || has(line, "   required from ") ||
         has(line, "   in ‘constexpr’ expansion of ");
}

// Where the parameters begin: each behind a comma that no bracket holds.
std::vector<std::size_t> parameters_of(const source_functions& s, const source_function& f) {
  std::vector<std::size_t> begins = {f.parameters + 1};
  for (std::size_t k = f.parameters + 1, end = s.behind(f.parameters) - 1; k < end;) {
    if (s.text(k) == ",") begins.push_back(k + 1);
    k = is_one_of(s.text(k), {"(", "[", "{", "<"}) ? s.behind(k) : k + 1;
  }
  return begins;
}

// `context` is what g++ says of a failed assertion: what was instantiated, and from where. If that names a function
// which `source` defines, the place of its name; of its parameter, if the assertion is of a launch's argument. The
// place has no file; line 0: not known.
gs::source_place meant_place(const std::string& context, const std::string& source) {
  const source_functions functions(source), words(context);
  for (std::size_t k = 1; k < words.tokens().size(); ++k) {
    if (!is_one_of(words.text(k - 1), {"=", "<", ",", "&", ")"})) continue;
    for (const std::size_t number : functions.named(words.text(k))) {
      const source_function& f = functions.functions()[number];
      if (f.end == f.parameters) continue;  // a prototype
      std::smatch position;
      const bool of_argument = std::regex_search(context, position, std::regex("Position = (\\d+)"));
      const std::vector<std::size_t> parameters = parameters_of(functions, f);
      const std::size_t position_of_argument = of_argument ? std::stoul(position[1]) : parameters.size();  // from 0
      const std::size_t at = position_of_argument < parameters.size() ? parameters[position_of_argument] : f.name;
      return {"", functions.tokens()[at].line, functions.tokens()[at].column};
    }
  }
  return {};
}

}  // namespace

bool is_runtime_assertion(std::string_view line) {
  return is_error(line) && has(line, ": static assertion failed: ") &&
         (line.starts_with("runtime/") || has(line.substr(0, line.find(':')), "/runtime/"));
}

std::string marked_line(const std::string& source, unsigned line, unsigned column) {
  const std::vector<std::string_view> lines = workbook::lines_of(source);
  if (line == 0 || line > lines.size() || column == 0) return "";
  return fmt::format("{:5} | {}\n      | {}^\n", line, lines[line - 1], std::string(column - 1, ' '));
}

learner_message learner_messages(const std::string& messages, const std::filesystem::path& copy,
                                 const std::string& shown_name, const std::string& source) {
  std::string text = messages;
  replace_all(text, copy.string(), shown_name);
  for (const auto& folder : {workbook::course_root(), workbook::checkout_root()})
    replace_all(text, folder.string() + "/", "");
  replace_all(text, "gs::checked::", "gs::");  // the namespace of the observed build, which nobody writes
  const auto is_the_learners = [&](std::string_view line) { return line.starts_with(shown_name + ":"); };

  learner_message result;
  std::string& out = result.text;
  std::string led_there, context;
  std::size_t errors = 0;
  bool asserted = false;
  bool keeps = false;  // the lines of source that follow
  for (const std::string_view line : workbook::lines_of(text)) {
    if (is_error(line)) {
      keeps = false;
      if (asserted && !is_the_learners(line)) {
        led_there.clear();
        continue;
      }
      ++errors;
      keeps = errors <= most_errors && is_the_learners(line);
      if (errors <= most_errors) out.append(led_there).append(line).append("\n");
      led_there.clear();
      if (is_runtime_assertion(line)) {
        asserted = true;
        const gs::source_place place = meant_place(context, source);
        if (errors == 1) result.place = place;
        if (errors <= most_errors && place.line > 0)
          out += fmt::format("{}:{}:{}: note: this is what it is about\n{}", shown_name, place.line, place.column,
                             marked_line(source, place.line, place.column));
      }
      context.clear();
    } else if (is_remark(line)) {
      keeps = errors <= most_errors && errors > 0 && has(line, ": note: ") && is_the_learners(line);
      if (keeps) out.append(line).append("\n");
    } else if (is_context(line)) {
      keeps = false;
      context.append(line).append("\n");
      if (is_the_learners(line) && has(line, "required from here")) led_there.append(line).append("\n");
    } else if (keeps) {
      out.append(line).append("\n");
    }
  }
  if (errors > most_errors) out += fmt::format("... and {} more\n", errors - most_errors);
  if (errors > 0) return result;
  std::size_t count = 0;
  for (const std::string_view line : workbook::lines_of(text))
    if (count++ < most_other_lines) out.append(line).append("\n");
  return result;
}

}  // namespace exercises
