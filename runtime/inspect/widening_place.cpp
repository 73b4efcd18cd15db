#include "runtime/inspect/widening_place.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace gs::inline GS_FLAVOUR::inspecting {
namespace {

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "xD.2122" is x; "_1", "D.2122" and "iftmp.0D.7" were made up by the compiler and are nothing.
std::string source_name(const std::string& operand) {
  const std::size_t uid = operand.rfind("D.");
  if (uid == operand.npos || uid == 0) return "";
  const std::string name = operand.substr(0, uid);
  return std::all_of(name.begin(), name.end(), is_name_character) ? name : "";
}

struct use_of_value {
  widened_as use = widened_as::operand;
  const dumped_function::call* call = nullptr;
  std::size_t argument = 0;
};

std::string cpp_type(const std::string& wider) { return wider == "float64" ? "double" : wider; }

use_of_value find_use(const dumped_function& function, const dumped_function::conversion& statement) {
  const bool is_temporary = statement.target.starts_with('_') || statement.target.starts_with("iftmp.");
  for (const auto& call : function.calls) {
    const auto found = std::find(call.arguments.begin(), call.arguments.end(), statement.target);
    if (found != call.arguments.end() && call.at == statement.at && is_temporary)
      return {widened_as::argument, &call, static_cast<std::size_t>(found - call.arguments.begin())};
  }
  const auto& returned = function.returned;
  if (std::find(returned.begin(), returned.end(), statement.target) != returned.end()) return {widened_as::result};
  if (!source_name(statement.target).empty()) return {widened_as::variable};
  return {};
}

// "std::sqrt<float>(float)" is called by the word "sqrt".
std::string_view last_word(std::string_view name) {
  name = name.substr(0, name.find_first_of("(<"));
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  std::size_t begin = name.size();
  while (begin > 0 && is_name_character(name[begin - 1])) --begin;
  return name.substr(begin);
}

// Where the '(' of a call is. A call that is an argument of another one stands where that one does.
std::optional<std::size_t> find_bracket(const dumped_function& function, const dumped_function::call& call,
                                        std::size_t open, const source_text& source) {
  std::vector<const dumped_function::call*> made;
  for (const auto& other : function.calls)
    if (other.at == call.at) made.push_back(&other);
  std::vector<std::size_t> written = source.nested_calls(open);
  // double(x) looks like a call and isn't one; an object that is called has a name that the callee doesn't have.
  const auto is_written_for = [&](std::size_t bracket, const dumped_function::call& candidate) {
    const std::string callee = demangled(candidate.callee);
    const std::string_view word = last_word(source.text({source.call(bracket).begin, bracket}));
    return word.empty() || word == last_word(callee) || callee.find("operator") != callee.npos;
  };
  std::erase_if(written, [&](std::size_t bracket) {
    return std::none_of(made.begin(), made.end(),
                        [&](const auto* candidate) { return is_written_for(bracket, *candidate); });
  });
  if (written.size() != made.size()) return std::nullopt;
  const std::size_t bracket =
      written[static_cast<std::size_t>(std::find(made.begin(), made.end(), &call) - made.begin())];
  return is_written_for(bracket, call) ? std::optional(bracket) : std::nullopt;
}

// The argument's own text. An object before the dot is an argument in the intermediate code, not in the source.
std::optional<span_of_text> argument_text(const dumped_function& function, const use_of_value& use, std::size_t open,
                                          const source_text& source) {
  const auto bracket = find_bracket(function, *use.call, open, source);
  if (!bracket) return std::nullopt;
  const auto written = source.arguments(*bracket);
  const std::size_t passed = use.call->arguments.size();
  if (written.size() == passed) return written[use.argument];
  if (written.size() + 1 == passed && use.argument > 0) return written[use.argument - 1];
  return std::nullopt;
}

std::string advice_for_call(const std::string& callee) {
  const bool from_c = callee.find('(') == callee.npos;
  if (from_c) return "call std::" + callee + ", which has a float32 overload";
  return "give it a float32 version, or cast it to double on purpose";
}

bool comes_from_call(const dumped_function& function, const dumped_function::conversion& statement) {
  return std::any_of(function.calls.begin(), function.calls.end(),
                     [&](const auto& call) { return call.result == statement.operand; });
}

// A name, or what little can be shown of an expression whose extent isn't known: up to the end of the word.
span_of_text word_at(std::size_t begin, const source_text& source) {
  span_of_text span = source.expression(begin);
  const std::string_view text = source.text(span);
  std::size_t length = 0;
  while (length < text.size() && is_name_character(text[length])) ++length;
  if (length > 0) span.end = begin + length;
  return span;
}

}  // namespace

void set_expression(widening& shown, span_of_text span, const source_text& source) {
  if (span.begin >= span.end) return;
  const auto [line, column] = source.place(span.begin);
  const auto [last_line, last_column] = source.place(span.end - 1);
  shown.line = line;
  shown.column = column;
  shown.last_column = last_line == line ? last_column : source.line(line).size();
  shown.expression = source.text(span);
}

widening_place place_conversion(const dumped_function& function, const dumped_function::float_conversion& extension,
                                const dumped_function::conversion* statement, const source_text& source) {
  widening_place place;
  widening& shown = place.shown;
  shown.file = extension.at.file;
  shown.line = extension.at.line;
  shown.column = shown.last_column = extension.at.column;
  shown.to = extension.result == dumped_function::float_conversion::to::float64 ? "float64" : "long double";
  shown.reason = "it is used as " + shown.to;
  shown.advice = "keep it float32, or cast it to " + cpp_type(shown.to) + " on purpose";
  const auto start = source.offset(extension.at.line, extension.at.column);

  use_of_value use;
  bool from_call = false;
  if (statement) {
    use = find_use(function, *statement);
    from_call = comes_from_call(function, *statement);
    shown.expression = source_name(statement->operand);
  }
  place.use = use.use;
  place.is_conditional = statement && statement->target.starts_with("iftmp.");

  std::optional<span_of_text> span;
  if (use.use == widened_as::argument) {
    const std::string callee = demangled(use.call->callee);
    shown.reason = "it is passed to " + callee + (callee.find('(') == callee.npos ? "(double)" : "");
    shown.advice = advice_for_call(callee);
    if (start) span = argument_text(function, use, *start, source);
  } else if (use.use == widened_as::result) {
    shown.reason = "the function returns " + shown.to;
    shown.advice = "return float, or cast it to " + cpp_type(shown.to) + " on purpose";
    if (start) span = source.returned_expression(*start);
  } else if (use.use == widened_as::variable) {
    const std::string variable = source_name(statement->target);
    shown.reason = variable + " is " + shown.to;
    shown.advice = "make " + variable + " a float, or cast it to " + cpp_type(shown.to) + " on purpose";
    if (start) span = source.initializer(variable, *start);
  }

  if (span) {
    shown.is_explicit = written_cast(source.text(*span), from_call) == span->end - span->begin;
  } else if (start) {
    span = use.use == widened_as::argument ? source.call(*start) : word_at(*start, source);
    if (use.use == widened_as::operand)
      if (const auto length = written_cast(source.text(source.expression(*start)), from_call)) {
        shown.is_explicit = true;
        span = span_of_text{*start, *start + *length};
      }
  }
  if (span) set_expression(shown, *span, source);
  if (shown.is_explicit) {
    shown.reason = "the source says so";
    shown.advice.clear();
  }
  return place;
}

widening place_warning(const promotion_warning& warning, const source_text& source) {
  widening shown;
  shown.file = warning.at.file;
  shown.line = warning.first.line;
  shown.column = shown.last_column = source.byte_column(warning.first.line, warning.first.column);
  shown.to = "float64";
  shown.reason = warning.conditional ? "the other result is float64" : "the other operand is float64";
  shown.advice = "make that float32 too, or cast it to double on purpose";

  const auto offset_of = [&](const position& at) {
    return source.offset(at.line, source.byte_column(at.line, at.column));
  };
  const auto first = offset_of(warning.first), last = offset_of(warning.last), operation = offset_of(warning.at);
  if (!first || !last || !operation || *first > *last) return shown;
  set_expression(shown, {*first, *last + 1}, source);

  // A macro's name stands for all that it expands to.
  if (*first == *operation && source.call(*last + 1).end > *last + 2)
    set_expression(shown, {*first, source.call(*last + 1).end}, source);

  // A literal beside the operator is what learners trip over.
  std::string_view left = source.text({*first, std::max(*first, *operation)});
  std::string_view right = source.text({std::min(*operation, *last), *last + 1});
  if (const std::size_t colon = right.find(':'); warning.conditional && colon != right.npos) {
    left = right.substr(0, colon);
    right.remove_prefix(colon);
  } else if (const std::size_t assign = right.find('='); left.empty() && assign != right.npos) {
    right.remove_prefix(assign);  // "x *= 0.1" is pointed at where it starts
  }
  const auto is_operator = [](char c) {
    return std::string_view("+-*/<>=!?: \t\r\n").find(c) != std::string_view::npos;
  };
  for (std::string_view* side : {&left, &right}) {
    while (!side->empty() && is_operator(side->front())) side->remove_prefix(1);
    while (!side->empty() && is_operator(side->back())) side->remove_suffix(1);
    if (!is_double_literal(*side)) continue;
    shown.reason = std::string(*side) + " is a float64 literal";
    shown.advice = "write " + std::string(*side) + "f";
  }
  return shown;
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
