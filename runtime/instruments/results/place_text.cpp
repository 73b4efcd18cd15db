#include "runtime/instruments/results/place_text.h"

#include <memory>

#include "runtime/core/source_notes.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// Long ones lose their end.
std::string at_most(std::size_t length, std::string text) {
  if (text.size() <= length) return text;
  length -= 3;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;  // whole characters
  return text.substr(0, length) + "...";
}

}  // namespace

std::string name_of_array(const source_place& made) {
  const auto notes = source_notes::of_loaded_code();
  if (made.column > 0)
    if (std::string name = notes->name_at(made); !name.empty()) return name;
  const std::vector<noted_array> arrays = notes->arrays_in(made.file, made.line);
  if (made.column == 0) return arrays.size() == 1 ? arrays[0].name : "";
  for (const noted_array& array : arrays)
    if (array.column == made.column) return array.name;
  return "";
}

std::vector<unsigned> columns_of_arrays(const source_place& line) {
  std::vector<unsigned> columns;
  for (const noted_array& array : source_notes::of_loaded_code()->arrays_in(line.file, line.line))
    columns.push_back(array.column);
  return columns;
}

std::string text_of_access(const source_place& access) {
  const auto notes = source_notes::of_loaded_code();
  const noted_access* const found = notes->access_at(access);
  return found ? at_most(60, found->text) : "";
}

access_text parts_of_access(const source_place& access) {
  const auto notes = source_notes::of_loaded_code();
  const noted_access* const found = notes->access_at(access);
  return found ? access_text{found->object, found->indices} : access_text{};
}

}  // namespace gs::inline GS_FLAVOUR::detail
