#include "exercises/explain/unmarked_text.h"

#include <fmt/format.h>

#include "exercises/explain/compiler_text.h"

namespace exercises {

unmarked_text text_of_unmarked(const std::vector<unmarked_function>& found, const std::string& source,
                               const std::string& file) {
  unmarked_text text;
  for (const unmarked_function& f : found) {
    const std::string said =
        fmt::format("‘{}’ runs on the device and isn't {}", f.name, f.is_lambda ? "a function" : "marked GS_FN");
    if (text.first.empty()) text.first = said;
    text.messages += fmt::format("{}:{}:{}: error: {}\n", file, f.line, f.column, said);
    text.messages += marked_line(source, f.line, f.column);
    if (!f.caller.empty())
      text.messages += fmt::format("{}:{}: note: ‘{}’ calls it, which runs there\n", file, f.called_at, f.caller);
  }
  text.advice =
      found.front().is_lambda
          ? "g++ doesn't mind, but a GPU has no lambda that is kept outside of a function: write it as a function "
            "that begins with GS_FN."
          : "g++ doesn't mind, but a GPU has only the functions that are marked: write GS_FN before the type that "
            "it returns; where there is none, before the name.";
  return text;
}

}  // namespace exercises
