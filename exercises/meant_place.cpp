#include "exercises/meant_place.h"

#include <regex>

#include "exercises/source_functions.h"

namespace exercises {
namespace {

// Where the parameters begin: each behind a comma that no bracket holds.
std::vector<std::size_t> parameters_of(const source_functions& s, const source_function& f) {
  std::vector<std::size_t> begins = {f.parameters + 1};
  for (std::size_t k = f.parameters + 1, end = s.behind(f.parameters) - 1; k < end;) {
    if (s.text(k) == ",") begins.push_back(k + 1);
    k = is_one_of(s.text(k), {"(", "[", "{", "<"}) ? s.behind(k) : k + 1;
  }
  return begins;
}

}  // namespace

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
      const std::size_t which = of_argument ? std::stoul(position[1]) : parameters.size();  // from 0
      const std::size_t at = which < parameters.size() ? parameters[which] : f.name;
      return {"", functions.tokens()[at].line, functions.tokens()[at].column};
    }
  }
  return {};
}

}  // namespace exercises
