#include "exercises/explain/unmarked_functions.h"

#include <algorithm>
#include <deque>

#include "exercises/explain/implied_calls.h"
#include "exercises/explain/source_functions.h"

namespace exercises {
namespace {

using function = source_function;

// What `launch<f>` and the like name.
std::vector<std::string_view> launched(const source_functions& s) {
  std::vector<std::string_view> names;
  for (std::size_t k = 0; k + 1 < s.tokens().size(); ++k) {
    if (!is_one_of(s.text(k), {"launch", "vectorize", "guvectorize", "cooperative_limit"}) || s.text(k + 1) != "<")
      continue;
    const std::size_t end = s.behind(k + 1);
    for (std::size_t a = k + 2; a < end; ++a)
      if (s.tokens()[a].is_name()) names.push_back(s.text(a));
  }
  return names;
}

class search {
 public:
  explicit search(const source_functions& s) : source_(s), on_device_(s.functions().size()) {}

  std::vector<unmarked_function> run(const std::vector<std::string_view>& launched) {
    for (std::size_t f = 0; f < on_device_.size(); ++f) {
      const function& one = source_.functions()[f];
      const std::string_view name = text(one.name);
      const bool is_launched = one.kind == function_kind::named && one.of.empty() && !has_marked(name, "") &&
                               (is_kernel(one) || std::ranges::find(launched, name) != launched.end());
      if (is_launched || is_marked_for_the_device(one)) reach(f, nullptr, 0);
    }
    for (; !to_read_.empty(); to_read_.pop_front()) {
      const function& caller = source_.functions()[to_read_.front()];
      for (std::size_t k = caller.parameters; k < caller.end; ++k) {
        for (const std::size_t f : source_.named(text(k)))
          if (const function& one = source_.functions()[f]; means(k, one, caller) && !has_marked(text(k), one.of))
            reach(f, &caller, k);
        for (const std::size_t f : implied_calls(source_, k, caller)) reach(f, &caller, k);
        if (const std::size_t f = lambda_at(k, caller); f < on_device_.size()) reach(f, &caller, k);
      }
    }
    std::ranges::sort(found_, {}, [](const unmarked_function& f) { return std::pair(f.line, f.column); });
    return std::move(found_);
  }

 private:
  std::string_view text(std::size_t k) const { return source_.text(k); }

  void reach(std::size_t f, const function* caller, std::size_t where) {
    if (on_device_[f]) return;
    on_device_[f] = true;
    to_read_.push_back(f);
    const function& one = source_.functions()[f];
    if (one.marked) return;
    const source_token& name = source_.tokens()[one.name];
    found_.push_back({.name = source_.title(one),
                      .line = name.line,
                      .column = name.column,
                      .caller = caller ? source_.title(*caller) : "",
                      .called_at = caller ? source_.tokens()[where].line : 0,
                      .is_lambda = one.kind == function_kind::lambda});
  }

  // The number of the lambda that the name at k means; of none: as many as there are functions.
  std::size_t lambda_at(std::size_t k, const function& caller) const {
    std::size_t f = 0;
    while (f < on_device_.size() &&
           !(source_.functions()[f].kind == function_kind::lambda && text(source_.functions()[f].name) == text(k) &&
             !is_one_of(text(k - 1), {".", "->"}) && !is_local(text(k), caller)))
      ++f;
    return f;
  }

  bool has_marked(std::string_view name, std::string_view of) const {
    return std::ranges::any_of(source_.named(name), [&](std::size_t f) {
      return source_.functions()[f].marked && source_.functions()[f].of == of;
    });
  }
  // constexpr functions may, and need not, run there.
  bool is_marked_for_the_device(const function& f) const {
    for (std::size_t k = f.head; k < f.parameters; ++k)
      if (source_.is_mark(text(k)) && !is_one_of(text(k), {"constexpr", "consteval"})) return true;
    return false;
  }
  bool is_kernel(const function& f) const {
    const std::size_t first = f.parameters + (text(f.parameters + 1) == "const" ? 2 : 1);
    return text(first) == "gs" && text(first + 1) == "::" && is_one_of(text(first + 2), {"thread", "block"});
  }

  // Whether the name at k, in `caller`, is that function.
  bool means(std::size_t k, const function& f, const function& caller) const {
    const std::string_view before = text(k - 1);
    if (is_one_of(before, {".", "->"})) return !f.of.empty() && text(k + 1) == "(" && is_a(f.of, k - 2, caller);
    if (before == "::") return source_.tokens()[k - 2].is_name() ? is_scope_of(text(k - 2), f) : f.of.empty();
    return (f.of.empty() || f.of == caller.of) && !is_local(text(k), caller);
  }
  bool is_scope_of(std::string_view scope, const function& f) const {
    return f.of.empty() ? !is_one_of(scope, {"std", "gs", "xt"}) : scope == f.of;
  }

  // Whether the object that ends with the token at k was declared as one of that class.
  bool is_a(std::string_view type, std::size_t k, const function& caller) const {
    while (is_one_of(text(k), {")", "]"})) k = source_.opened_by(k) - 1;
    if (text(k) == "this") return type == caller.of;
    for (std::size_t one = caller.parameters; one < caller.end; ++one) {
      if (text(one) != type) continue;
      std::size_t declared = one + 1;
      while (is_one_of(text(declared), {"const", "&", "*", ">", ",", "2", "3"})) ++declared;
      if (text(declared) == text(k)) return true;
    }
    return false;
  }

  // Whether the caller declares something of that name, which then is what the name means.
  bool is_local(std::string_view name, const function& caller) const {
    for (std::size_t k = caller.parameters + 1; k < caller.end; ++k) {
      if (text(k) != name) continue;
      const source_token& before = source_.tokens()[k - 1];
      if (before.is_name() && !is_one_of(before.text, {"return", "else", "do", "case", "throw", "and", "or", "not"}))
        return true;
      if (is_one_of(before.text, {"&", "*", ">"}) && is_one_of(text(k + 1), {"=", ")", ",", ";", ":", "["}))
        return true;
    }
    return false;
  }

  const source_functions& source_;
  std::vector<bool> on_device_;
  std::deque<std::size_t> to_read_;
  std::vector<unmarked_function> found_;
};

}  // namespace

std::vector<unmarked_function> unmarked_functions(const std::string& source, const std::vector<std::string>& users) {
  const source_functions functions(source);
  std::vector<std::string_view> names = launched(functions);
  for (const std::string& one : users) std::ranges::copy(launched(source_functions(one)), std::back_inserter(names));
  return search(functions).run(names);
}

}  // namespace exercises
