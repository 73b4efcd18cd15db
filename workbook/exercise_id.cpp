#include "workbook/exercise_id.h"

#include <fmt/format.h>

#include <charconv>

namespace workbook {
namespace {

constexpr char warm_up_mark = 'w';
constexpr unsigned greatest_number = 9999;

}  // namespace

std::string to_string(exercise_id id) {
  std::string text = fmt::format("{:02}", id.number);
  if (id.warm_up) text += warm_up_mark;
  return text;
}

std::optional<exercise_id> read_exercise_id(std::string_view text) {
  const bool warm_up = text.ends_with(warm_up_mark);
  if (warm_up) text.remove_suffix(1);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > greatest_number) return {};
  return exercise_id(static_cast<int>(number), warm_up);
}

}  // namespace workbook
