#include "runtime/inspect/compiler_dump.h"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace gs::inline GS_FLAVOUR::inspecting {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::size_t> read_number(std::string_view& text) {
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// ":12:34" behind a file name.
std::optional<position> read_line_and_column(std::string_view file, std::string_view text) {
  position at{std::string(file), 0, 0};
  for (std::size_t* number : {&at.line, &at.column}) {
    if (!text.starts_with(':')) return std::nullopt;
    text.remove_prefix(1);
    const auto value = read_number(text);
    if (!value) return std::nullopt;
    *number = *value;
  }
  return at;
}

// "xD.2122" becomes "x", "D.2122" and "_1" stay: they have no name in the source.
std::string_view without_uid(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  if (end >= 3 && end < name.size() && name.substr(end - 2, 2) == "D.") return name.substr(0, end - 2);
  return name;
}

// The parts of "<nop_expr, dD.2125, xD.2122, NULL, NULL>" at its commas; commas within brackets and strings don't part.
std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  bool in_string = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '<' || c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == '>' || c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(text.substr(start, i - start));
      start = i + 2;
    }
  }
  if (start < text.size()) parts.push_back(text.substr(start));
  return parts;
}

// One line of the "lower" dump: "  [t.cpp:3:25] gimple_assign <nop_expr, dD.2128, xD.2125, NULL, NULL>".
void read_statement(std::string_view line, dumped_function& function) {
  const std::size_t open = line.find('['), close = line.find("] gimple_");
  if (open == line.npos || close == line.npos) return;
  const std::string_view place = line.substr(open + 1, close - open - 1);
  const std::size_t column_colon = place.rfind(':');
  if (column_colon == place.npos || column_colon == 0) return;
  const std::size_t line_colon = place.rfind(':', column_colon - 1);
  if (line_colon == place.npos) return;
  const auto at = read_line_and_column(place.substr(0, line_colon), place.substr(line_colon));
  if (!at) return;

  const std::string_view statement = line.substr(close + 2);
  const std::size_t begin = statement.find('<'), end = statement.rfind('>');
  if (begin == statement.npos || end == statement.npos || end <= begin) return;
  const std::string_view list = statement.substr(begin + 1, end - begin - 1);
  if (statement.starts_with("gimple_return")) {
    function.returned.emplace_back(list);
  } else if (list.starts_with("nop_expr, ") && statement.starts_with("gimple_assign")) {
    const auto parts = split_list(list);
    if (parts.size() >= 3) function.conversions.push_back({*at, std::string(parts[1]), std::string(parts[2])});
  } else if (statement.starts_with("gimple_call")) {
    const auto parts = split_list(list);
    if (parts.size() < 2) return;
    dumped_function::call call{*at, std::string(without_uid(parts[0])), std::string(parts[1]), {}};
    if (call.result == "NULL") call.result.clear();
    for (std::size_t i = 2; i < parts.size(); ++i) call.arguments.emplace_back(parts[i]);
    function.calls.push_back(std::move(call));
  }
}

// One instruction of the "expand" dump; it ends in `"t.cpp":3:25 -1` and notes.
void read_instruction(std::string_view text, dumped_function& function) {
  std::optional<position> at;
  for (std::size_t quote = text.find("\":"); quote != text.npos && !at; quote = text.find("\":", quote + 1)) {
    const std::size_t start = quote == 0 ? text.npos : text.rfind('"', quote - 1);
    if (start != text.npos)
      at = read_line_and_column(text.substr(start + 1, quote - start - 1), text.substr(quote + 1));
  }
  if (!at) return;

  if (function.first_line == 0) {  // the first instructions store the parameters, where the function's name stands
    function.file = at->file;
    function.first_line = function.last_line = at->line;
  }
  if (at->file == function.file) {
    function.first_line = std::min(function.first_line, at->line);
    function.last_line = std::max(function.last_line, at->line);
  }

  using to = dumped_function::float_conversion::to;
  constexpr std::pair<std::string_view, to> operations[] = {{"(float_extend:DF (", to::float64},
                                                            {"(float_extend:XF (", to::long_double},
                                                            {"(float_truncate:SF (", to::float32}};
  for (const auto& [operation, result] : operations) {
    const std::size_t found = text.find(operation);
    if (found == text.npos) continue;
    // "(reg:SF ...", "(mem/c:SF ...": the operand's own type
    const std::string_view operand = text.substr(found + operation.size());
    const std::size_t colon = operand.find(':');
    const bool from_float32 = colon != operand.npos && operand.substr(colon + 1).starts_with("SF ");
    if (from_float32 || result == to::float32) function.float_conversions.push_back({*at, result});
  }

  const std::size_t call = text.find("(call (mem");
  bool called_by_name = false;
  for (std::size_t found = text.find("(symbol_ref"); found != text.npos; found = text.find("(symbol_ref", found + 1)) {
    const std::size_t open = text.find('"', found), close = open == text.npos ? open : text.find('"', open + 1);
    if (close == text.npos) break;
    const std::size_t next = std::min(text.find("(symbol_ref", close), text.size());
    if (text.substr(close, next - close).find("<function_decl") == text.npos) continue;
    const bool is_call = call != text.npos && found > call && !called_by_name;
    called_by_name = called_by_name || is_call;
    function.references.push_back({*at, std::string(text.substr(open + 1, close - open - 1)), is_call});
  }
  if (call != text.npos && !called_by_name) function.references.push_back({*at, "", true});
}

// ";; Function lesson::square (_ZN6lesson6squareEf, funcdef_no=1159, ...)": symbol and label.
std::optional<std::pair<std::string, std::string>> read_heading(std::string_view line) {
  constexpr std::string_view start = ";; Function ";
  const std::size_t end = line.rfind(", funcdef_no=");
  if (!line.starts_with(start) || end == line.npos) return std::nullopt;
  const std::size_t open = line.rfind(" (", end);
  if (open == line.npos || open < start.size()) return std::nullopt;
  return std::pair{std::string(line.substr(open + 2, end - open - 2)),
                   std::string(line.substr(start.size(), open - start.size()))};
}

// "float scaled<float>(float)" becomes "scaled<float>(float)": only a template's symbol names its result.
std::string without_return_type(const std::string& function) {
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    const char c = function[i];
    if (c == '(' && depth == 0) break;
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ' ' && depth == 0) start = i + 1;
  }
  return function.substr(start);
}

}  // namespace

std::string demangled_type(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : name;
}

std::string demangled(const std::string& symbol) {
  return symbol.starts_with("_Z") ? without_return_type(demangled_type(symbol)) : symbol;
}

std::vector<dumped_function> read_compiler_dump(std::string_view text) {
  std::vector<dumped_function> functions;
  std::unordered_map<std::string, std::size_t> index_of;
  std::optional<std::size_t> current;
  std::size_t instruction = text.npos;  // where the one being read starts

  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = text.find('\n', start);
    if (end == text.npos) end = text.size();
    const std::string_view line = text.substr(start, end - start);
    // An instruction ends where the next one, a blank line or a heading starts.
    if (instruction != text.npos && !line.starts_with(' ')) {
      read_instruction(text.substr(instruction, start - instruction), functions[*current]);
      instruction = text.npos;
    }
    if (const auto heading = read_heading(line)) {
      const auto [found, is_new] = index_of.try_emplace(heading->first, functions.size());
      if (is_new) {
        functions.emplace_back();
        functions.back().symbol = heading->first;
        functions.back().name = demangled(heading->first);
        functions.back().label = heading->second;
      }
      current = found->second;
    } else if (current && line.starts_with("  ")) {
      if (instruction == text.npos) read_statement(line, functions[*current]);
    } else if (current &&
               (line.starts_with("(insn ") || line.starts_with("(call_insn ") || line.starts_with("(jump_insn "))) {
      instruction = start;
    }
    start = end + 1;
  }
  if (instruction != text.npos) read_instruction(text.substr(instruction), functions[*current]);
  return functions;
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
