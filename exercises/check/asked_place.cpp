#include "exercises/check/asked_place.h"

#include <algorithm>
#include <set>

#include "exercises/explain/source_functions.h"

namespace exercises {
namespace {

// The line where a file defines the function of that name, or the function a ufunc of that name is made from; 0: none.
unsigned definition_of(std::string_view name, const source_functions& file) {
  for (const std::size_t f : file.named(name))
    if (const source_function& function = file.functions()[f];
        function.of.empty() && function.end > function.parameters)
      return file.tokens()[function.name].line;
  for (std::size_t k = 2; k < file.tokens().size(); ++k)
    if (file.text(k) == name && file.text(k - 1) == "auto" && file.text(k - 2) == "constexpr") {
      for (std::size_t part = k + 1; part < file.tokens().size() && file.text(part) != ";"; ++part)
        for (const std::size_t f : file.named(file.text(part)))
          if (file.text(part - 1) == "<") return file.tokens()[file.functions()[f].name].line;
      return file.tokens()[k].line;
    }
  return 0;
}

class search_of_checks {
 public:
  search_of_checks(const source_functions& checks, const source_functions& learners)
      : checks_(checks), learners_(learners) {}

  // The line of the first definition in the learner's file that these tokens of the checks lead to; 0: none.
  unsigned from(std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (!checks_.tokens()[k].is_name() || is_one_of(checks_.text(k - 1), {".", "->"})) continue;
      const std::vector<std::size_t>& own = checks_.named(checks_.text(k));
      if (own.empty())
        if (const unsigned line = definition_of(checks_.text(k), learners_)) return line;
      for (const std::size_t f : own)
        if (read_.insert(f).second)
          if (const unsigned line = from(checks_.functions()[f].parameters, checks_.functions()[f].end)) return line;
    }
    return 0;
  }

 private:
  const source_functions& checks_;
  const source_functions& learners_;
  std::set<std::size_t> read_;
};

}  // namespace

gs::source_place asked_place(const check_result& check, const std::string& source, const std::string& checks) {
  const source_functions learners(source), words(check.name), asking(checks);
  for (const source_token& word : words.tokens())
    if (const unsigned line = word.is_name() ? definition_of(word.text, learners) : 0) return {"", line, 0};
  const auto& tokens = asking.tokens();
  for (const source_function& f : asking.functions()) {
    if (f.end >= tokens.size() || tokens[f.name].line > check.place.line || tokens[f.end].line < check.place.line)
      continue;
    const auto line = std::ranges::find_if(tokens, [&](const source_token& t) { return t.line >= check.place.line; });
    const auto begin = static_cast<std::size_t>(line - tokens.begin());
    std::size_t end = begin;
    while (end < f.end && tokens[end].text != ";") ++end;
    search_of_checks search(asking, learners);
    unsigned asked_line = search.from(begin, end);
    if (asked_line == 0) asked_line = search.from(f.parameters, f.end);
    return {"", asked_line, 0};
  }
  return {};
}

}  // namespace exercises
