#pragma once
// Documents with hostile texts, which a window must survive.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace viewer_test {

/// Nothing, one word and many words of 20,000 characters, what ImGui takes for the mark of an identifier, lines,
/// escapes, and invalid UTF-8.
inline std::vector<std::string> hostile_texts() {
  std::string words;
  while (words.size() < 20'000) words += "word ";
  return {"", std::string(20'000, 'x'), words, "##", "###", "%s%n", "\n\n\n", "\x1b[31m", "\xff\xfe\xc3", "a\tb"};
}

/// Calls `use` with the document in which one of its texts after the other has been replaced by `text`. What JSON can't
/// hold is written as its nearest.
inline void with_each_text_replaced(const std::string& document, const std::string& text,
                                    const std::function<void(const std::string&)>& use) {
  nlohmann::json tree = nlohmann::json::parse(document);
  std::vector<nlohmann::json*> texts;
  const std::function<void(nlohmann::json&)> collect = [&](nlohmann::json& part) {
    if (part.is_string()) texts.push_back(&part);
    if (part.is_structured())
      for (auto& inner : part) collect(inner);
  };
  collect(tree);
  for (nlohmann::json* value : texts) {
    const nlohmann::json original = std::exchange(*value, text);
    use(tree.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    *value = original;
  }
}

/// The same with all of its texts replaced at once.
inline void with_all_texts_replaced(const std::string& document, const std::string& text,
                                    const std::function<void(const std::string&)>& use) {
  nlohmann::json tree = nlohmann::json::parse(document);
  const std::function<void(nlohmann::json&)> replace = [&](nlohmann::json& part) {
    if (part.is_string()) part = text;
    if (part.is_structured())
      for (auto& inner : part) replace(inner);
  };
  replace(tree);
  use(tree.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace viewer_test
