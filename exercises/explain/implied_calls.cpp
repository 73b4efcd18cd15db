#include "exercises/explain/implied_calls.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace exercises {
namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

// What an expression is, as far as it is known.
struct type {
  std::string_view of_class = {};  // one of the file's; empty: something else
  bool is_array = false;           // of such objects: an array, a view, a pointer

  bool is_object() const { return !of_class.empty() && !is_array; }
};
struct expression {
  type what;
  std::size_t begin = 0, end = 0;  // its tokens
};

class reader {
 public:
  reader(const source_functions& source, const source_function& caller) : source_(source), caller_(caller) {}

  std::vector<std::size_t> calls_at(std::size_t k) && {
    construct(k);
    operate(k);
    convert(k);
    return std::move(calls_);
  }

 private:
  std::string_view text(std::size_t k) const { return source_.text(k); }
  bool is_class(std::size_t k) const { return source_.classes().contains(text(k)); }
  bool is_name(std::size_t k) const { return k < source_.tokens().size() && source_.tokens()[k].is_name(); }

  // Whether there are such functions; the first of them is called, unless one is marked.
  template <class Fits>
  bool call(function_kind kind, Fits fits) {
    const auto& all = source_.functions();
    std::size_t first = any_number;
    bool marked = false;
    for (std::size_t f = 0; f < all.size(); ++f)
      if (all[f].kind == kind && fits(all[f])) {
        first = std::min(first, f);
        marked |= all[f].marked;
      }
    if (first != any_number && !marked) calls_.push_back(first);
    return first != any_number;
  }

  // "point p;", "point p(1, 2);", "point{1, 2}": a constructor, and the destructor when it goes.
  void construct(std::size_t k) {
    if (!is_class(k) || is_one_of(text(k - 1), {".", "->", "struct", "class", "typename"})) return;
    std::size_t next = text(k + 1) == "<" ? source_.behind(k + 1) : k + 1;
    const bool declares = is_name(next);
    if (declares) ++next;
    const bool has_arguments = is_one_of(text(next), {"(", "{"});
    if (!has_arguments && !(declares && is_one_of(text(next), {";", "[", ","}))) return;
    const std::size_t count = has_arguments ? count_arguments(next) : 0;
    if (count == 1 && may_be_an_object(next + 1, source_.behind(next) - 1)) return;  // it may be copied
    call(function_kind::constructor, [&](const source_function& f) {
      const auto [least, most] = parameter_counts(f);
      return f.of == text(k) && least <= count && count <= most && !(count == 1 && takes(f, text(k)));
    });
    call(function_kind::destructor, [&](const source_function& f) { return f.of == text(k); });
  }

  // "a + b", "-a", "a[i]", "a(x)".
  void operate(std::size_t k) {
    const std::string_view mark = source_.operator_at(k);
    if (mark.empty() || is_one_of(mark, {"=", "->"}) || is_inside_of_a_mark(k)) return;
    const bool has_left = ends_an_operand(k - 1);
    const type left = has_left ? ending_at(k - 1).what : type{};
    if (is_one_of(mark, {"()", "[]"})) {
      if (left.is_object())
        call(function_kind::operation,
             [&](const source_function& f) { return is_called(f, mark) && f.of == left.of_class; });
      return;
    }
    const expression to_the_right = beginning_at(k + mark.size());
    const type right = binds_tighter(to_the_right.end, mark) ? type{} : to_the_right.what;
    for (const bool is_left : {true, false}) {
      const type& one = is_left ? left : right;
      if (!one.is_object()) continue;
      const bool is_found = call(function_kind::operation, [&](const source_function& f) {
        const bool is_member = is_a_member(f);
        const std::size_t operands = parameter_counts(f).second + (is_member ? 1 : 0);
        return is_called(f, mark) && (is_one_of(mark, {"++", "--"}) || operands == (has_left ? 2u : 1u)) &&
               (is_member ? f.of == one.of_class && (is_left || !has_left) : takes(f, one.of_class));
      });
      // As a number, then.
      if (!is_found && is_one_of(mark, {"+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!="}))
        call(function_kind::conversion, [&](const source_function& f) { return f.of == one.of_class; });
      if (is_found) return;
    }
  }

  // "static_cast<float>(a)", "float(a)", "float x = a;", "if (a)", "return a;" in a function that returns float.
  void convert(std::size_t k) {
    std::size_t value = 0;
    std::string_view to = text(k);
    if (to == "static_cast" && text(k + 1) == "<") {
      to = text(k + 2);
      value = source_.behind(k + 1) + 1;
    } else if (to == "return") {
      to = caller_.name > 0 ? text(caller_.name - 1) : "";
      value = k + 1;
    } else if (is_one_of(text(k + 1), {"(", "{"})) {
      if (is_one_of(to, {"if", "while"})) to = "bool";
      value = k + 2;
    } else if (is_name(k + 1) && is_one_of(text(k + 2), {"=", "(", "{"})) {
      value = k + 3;
    }
    if (value == 0 || !is_name(k)) return;
    const expression e = beginning_at(value);
    if (e.what.is_object() && is_one_of(text(e.end), {";", ",", ")", "}"}))
      call(function_kind::conversion,
           [&](const source_function& f) { return f.of == e.what.of_class && text(f.parameters - 1) == to; });
  }

  // --- operators -----------------------------------------------------------------------------------------------------

  bool is_called(const source_function& f, std::string_view mark) const {
    return source_.operator_at(f.name + 1) == mark;
  }
  bool is_a_member(const source_function& f) const {
    for (std::size_t k = f.head; k < f.name; ++k)
      if (text(k) == "friend") return false;
    return !f.of.empty();
  }
  bool is_inside_of_a_mark(std::size_t k) const {
    for (std::size_t back = 1; back <= 2 && back <= k; ++back)
      if (!is_one_of(text(k - back), {"(", "[", "->"}) && source_.operator_at(k - back).size() > back) return true;
    return false;
  }
  bool ends_an_operand(std::size_t k) const {
    return is_one_of(text(k), {")", "]", "}"}) || (std::isalnum(static_cast<unsigned char>(text(k)[0])) != 0 &&
                                                   !is_one_of(text(k), {"return", "case", "else", "and", "or", "not"}));
  }
  // Whether what follows an operand takes it away from the operator before it.
  bool binds_tighter(std::size_t k, std::string_view mark) const {
    return is_one_of(text(k), {"*", "/", "%"}) && !is_one_of(mark, {"*", "/", "%"});
  }

  // --- expressions ---------------------------------------------------------------------------------------------------

  // A name with all that follows it, up to a token: calls, indices, members.
  expression beginning_at(std::size_t k, std::size_t stop = any_number) const {
    expression e{.what = {}, .begin = k, .end = k + 1};
    if (text(k) == "*" && text(k + 1) == "this") return {{caller_.of}, k, k + 2};
    if (!is_name(k)) return e;
    if (is_class(k)) {
      if (text(e.end) == "<") e.end = source_.behind(e.end);
      if (is_one_of(text(e.end), {"(", "{"})) {
        e.end = source_.behind(e.end);
        e.what.of_class = text(k);
      }
    } else if (text(k) == "static_cast") {
      e.what.of_class = is_class(k + 2) && text(k + 3) == ">" ? text(k + 2) : "";
      e.end = source_.behind(source_.behind(k + 1));
    } else if (e.end < stop && text(e.end) == "(" && !source_.named(text(k)).empty()) {
      e.what = returned_by(source_.functions()[source_.named(text(k)).front()]);
      e.end = source_.behind(e.end);
    } else {
      e.what = variable(k);
    }
    while (e.end < stop) {
      const std::string_view next = text(e.end);
      if (next == "[") {
        e.what = e.what.is_array ? type{e.what.of_class} : type{};
        e.end = source_.behind(e.end);
      } else if (next == "(") {
        e.what = {};
        e.end = source_.behind(e.end);
      } else if (is_one_of(next, {".", "->", "::"})) {
        const std::string_view of = next == "::" ? "" : e.what.of_class, member = text(e.end + 1);
        e.what = member_of(of, member);
        e.end += 2;
        if (text(e.end) != "(") continue;
        for (const std::size_t f : source_.named(member))
          if (source_.functions()[f].of == of) e.what = returned_by(source_.functions()[f]);
        e.end = source_.behind(e.end);
      } else {
        break;
      }
    }
    return e;
  }

  // The same, by its last token. What stands behind an arithmetic mark belongs to that.
  expression ending_at(std::size_t last) const {
    std::size_t k = last;
    for (;;) {
      while (k > 0 && is_one_of(text(k), {")", "]", "}"})) k = source_.opened_by(k) - 1;
      if (k < 2 || !is_name(k)) return {};
      if (!is_one_of(text(k - 1), {".", "->", "::"})) break;
      k -= 2;
    }
    if (is_one_of(text(k - 1), {"+", "-", "*", "/", "%"}) && !(text(k - 1) == "*" && text(k) == "this")) return {};
    const expression e = beginning_at(text(k) == "this" ? k - 1 : k, last + 1);
    return e.end == last + 1 ? e : expression{};
  }

  // What is declared between two tokens: "point a", "const point& a", "gs::view<const point, 2> a", "auto a = b;".
  std::optional<type> declared(std::string_view name, std::size_t begin, std::size_t end) const {
    for (std::size_t k = begin; k < end; ++k) {
      if (!is_class(k) && text(k) != "auto") continue;
      type found{.of_class = text(k)};
      std::size_t at = text(k + 1) == "<" && is_class(k) ? source_.behind(k + 1) : k + 1;
      for (; is_one_of(text(at), {"const", "&", "*", ">"}) || (text(at) == "," && text(at + 2) == ">"); ++at) {
        found.is_array |= is_one_of(text(at), {"*", ">", ","});
        if (text(at) == ",") ++at;
      }
      if (at >= end || text(at) != name) continue;
      if (is_class(k)) {
        found.is_array |= text(at + 1) == "[";
        return found;
      }
      const expression from = beginning_at(at + 2);
      if (text(at + 1) == ":") return type{from.what.is_array ? from.what.of_class : ""};
      return text(at + 1) == "=" && text(from.end) == ";" ? from.what : type{};
    }
    return std::nullopt;
  }

  // What the name at k is: a parameter or a variable of the caller's, or a member of its class.
  type variable(std::size_t k) const {
    if (is_a_number(k)) return {};
    if (const auto found = declared(text(k), caller_.parameters, k)) return *found;
    for (std::size_t one = caller_.parameters + 1; one < k; ++one)  // of another type
      if (text(one) == text(k) && (is_name(one - 1) || is_one_of(text(one - 1), {"&", "*", ">"})) &&
          !is_one_of(text(one - 1), {"return", "else", "case", "and", "or", "not"}))
        return {};
    return member_of(caller_.of, text(k));
  }
  type member_of(std::string_view of, std::string_view name) const {
    const auto found = source_.classes().find(of);
    if (found == source_.classes().end()) return {};
    return declared(name, found->second.first, found->second.second).value_or(type{});
  }
  type returned_by(const source_function& f) const {
    type found;
    for (std::size_t k = f.head; k < f.name; ++k) {
      if (is_class(k) && text(k + 1) != "::") found = {.of_class = text(k)};
      found.is_array |= is_one_of(text(k), {"*", ">"}) && !found.of_class.empty();
    }
    return found;
  }

  // --- parameters and arguments --------------------------------------------------------------------------------------

  std::size_t count_arguments(std::size_t open) const {
    const std::size_t close = source_.behind(open) - 1;
    std::size_t count = open + 1 < close ? 1 : 0;
    for (std::size_t k = open + 1; k < close; k = is_one_of(text(k), {"(", "[", "{"}) ? source_.behind(k) : k + 1)
      count += text(k) == ",";
    return count;
  }
  // At least and at most so many arguments.
  std::pair<std::size_t, std::size_t> parameter_counts(const source_function& f) const {
    const std::size_t close = source_.behind(f.parameters) - 1;
    std::size_t all = f.parameters + 1 < close && text(f.parameters + 1) != "void" ? 1 : 0, defaults = 0;
    for (std::size_t k = f.parameters + 1; k < close;
         k = is_one_of(text(k), {"(", "[", "{", "<"}) ? source_.behind(k) : k + 1) {
      all += text(k) == ",";
      defaults += text(k) == "=";
      if (text(k) == "." && text(k + 1) == ".") return {0, any_number};
    }
    return {all - defaults, all};
  }
  bool takes(const source_function& f, std::string_view of) const {
    for (std::size_t k = f.parameters + 1; k < source_.behind(f.parameters) - 1; ++k)
      if (text(k) == of) return true;
    return false;
  }
  // Whether an argument's type is unknown, or one of the file's classes.
  bool may_be_an_object(std::size_t begin, std::size_t end) const {
    for (std::size_t k = begin; k < end; ++k)
      if (is_name(k) && (is_class(k) || text(k + 1) == "(" || !is_a_number(k))) return true;
    return false;
  }
  // Whether the name at k is declared as a number in the caller: "float x", "const int n".
  bool is_a_number(std::size_t k) const {
    for (std::size_t one = caller_.parameters + 1; one < k; ++one)
      if (text(one) == text(k) && is_one_of(text(one - 1), {"float", "double", "int", "unsigned", "long", "bool"}))
        return true;
    return false;
  }

  const source_functions& source_;
  const source_function& caller_;
  std::vector<std::size_t> calls_;
};

}  // namespace

std::vector<std::size_t> implied_calls(const source_functions& source, std::size_t token,
                                       const source_function& caller) {
  const bool in_body = token >= source.behind(caller.parameters) || source.text(caller.parameters) == "{";
  if (source.classes().empty() || !in_body) return {};
  return reader(source, caller).calls_at(token);
}

}  // namespace exercises
