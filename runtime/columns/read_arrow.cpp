// Arrow's structures, checked before anything is read: they come from another library.

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "runtime/columns/arrow_batches.h"
#include "runtime/columns/arrow_format.h"
#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

std::string name_of(const ArrowSchema& schema) { return schema.name ? schema.name : ""; }

[[noreturn]] void refuse_column(const ArrowSchema& schema, const std::string& found, const std::string& advice) {
  throw error(fmt::format("an import of Arrow's column \"{}\"", name_of(schema)), found, advice);
}
[[noreturn]] void refuse_contradiction(const ArrowSchema& schema, const std::string& found) {
  refuse_column(schema, found, "have it exported by a library that keeps to Arrow's C Data Interface");
}

bool is_struct(const ArrowSchema& schema) { return std::string_view(schema.format) == struct_format; }

void check_type(const ArrowSchema& schema) {
  if (!schema.format) refuse_contradiction(schema, "its schema has no format");
  if (schema.dictionary) refuse_column(schema, "its values are numbers of a dictionary", "decode it before the export");
  if (!with_arrow_type(schema.format, []<class T>() {}))
    refuse_column(schema, fmt::format("its format is \"{}\"", schema.format),
                  "import bools, integers of 8 to 64 bits, float32 and float64: leave the column out, or convert it");
}

// Lengths and offsets that can be added without a thought; 0 buffers more than there are.
void check_extent(const ArrowSchema& schema, const ArrowArray& array, std::int64_t buffers) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  if (!array.release) refuse_column(schema, "the array has been released", "import an array that is still there");
  if (array.length < 0 || array.offset < 0 || array.length > most || array.offset > most)
    refuse_contradiction(schema, fmt::format("its length is {}, its offset {}", array.length, array.offset));
  if (array.n_buffers != buffers || !array.buffers)
    refuse_contradiction(schema, fmt::format("it has {} buffers, and its type {}", array.n_buffers, buffers));
}

arrow_bitmap bitmap_of(const ArrowArray& array, std::int64_t offset) {
  if (array.null_count == 0) return {};
  return {array.buffers[0], static_cast<std::size_t>(array.offset + offset)};
}

// The rows [first, first + size) of a column, counted from the array's own offset on.
arrow_stretch read_column(const ArrowSchema& schema, const ArrowArray& array, std::int64_t first, std::int64_t size) {
  check_extent(schema, array, 2);
  if (array.length < first + size)
    refuse_contradiction(schema, fmt::format("it has {} elements, and {} rows", array.length, first + size));
  if (array.null_count > 0 && !array.buffers[0])
    refuse_contradiction(schema, "it has nulls, and no bitmap that says which");
  const void* const buffer = array.buffers[1];
  if (!buffer && size > 0) refuse_contradiction(schema, "it has no elements' buffer");
  const auto from = static_cast<std::size_t>(array.offset + first);
  arrow_stretch s{.data = buffer,
                  .first = 0,
                  .size = static_cast<std::size_t>(size),
                  .valid = bitmap_of(array, first),
                  .row_valid = {}};
  with_arrow_type(schema.format, [&]<class T>() {
    if constexpr (std::same_as<T, bool>) {
      s.first = from;
    } else if (size > 0) {
      if (reinterpret_cast<std::uintptr_t>(buffer) % alignof(T) != 0)
        refuse_column(schema, fmt::format("its elements' address is not a multiple of {}", alignof(T)),
                      "have it copied before the export");
      s.data = static_cast<const T*>(buffer) + from;
    }
  });
  return s;
}

void check_nulls(const ArrowSchema& schema, const arrow_stretch& s, arrow_nulls nulls) {
  if (nulls == arrow_nulls::flags) return;
  if (const std::size_t missing = s.null_count(); missing > 0)
    refuse_column(schema, fmt::format("{} of its {} elements are null", missing, s.size),
                  "fill or drop them before, or import them as flags: {.nulls = gs::arrow_nulls::flags}");
}

void check_children(const ArrowSchema& schema, const ArrowArray& array) {
  if (array.n_children != schema.n_children || (array.n_children > 0 && !array.children))
    refuse_contradiction(
        schema, fmt::format("the array has {} children, and the schema {}", array.n_children, schema.n_children));
  for (std::int64_t k = 0; k < array.n_children; ++k)
    if (!array.children[k]) refuse_contradiction(schema, fmt::format("child {} is a null pointer", k));
}

}  // namespace

bool arrow_stretch::is_valid(std::size_t row) const {
  return (!valid.bits || bit_at(valid.bits, valid.first + row)) &&
         (!row_valid.bits || bit_at(row_valid.bits, row_valid.first + row));
}

std::size_t arrow_stretch::null_count() const {
  std::size_t missing = 0;
  if (valid.bits || row_valid.bits)
    for (std::size_t row = 0; row < size; ++row) missing += !is_valid(row);
  return missing;
}

std::vector<arrow_column> read_schema(const ArrowSchema& schema) {
  if (!schema.release)
    throw error("an import of Arrow's columns", "the schema has been released", "import one that is still there");
  if (!schema.format) refuse_contradiction(schema, "its schema has no format");
  std::vector<arrow_column> columns;
  const auto add_column = [&](const ArrowSchema& column) {
    check_type(column);
    columns.push_back({name_of(column), column.format, {}});
  };
  if (!is_struct(schema)) {
    add_column(schema);
    return columns;
  }
  if (schema.n_children < 0 || (schema.n_children > 0 && !schema.children))
    refuse_contradiction(schema, "the schema has no children");
  for (std::int64_t k = 0; k < schema.n_children; ++k) {
    if (!schema.children[k]) refuse_contradiction(schema, fmt::format("child {} is a null pointer", k));
    add_column(*schema.children[k]);
  }
  return columns;
}

std::size_t read_array(const ArrowSchema& schema, const ArrowArray& array, arrow_nulls nulls,
                       std::vector<arrow_column>& columns) {
  const auto add_stretch = [&](std::size_t k, const ArrowSchema& type, arrow_stretch s) {
    check_nulls(type, s, nulls);
    columns[k].stretches.push_back(std::move(s));
  };
  if (!is_struct(schema)) {
    add_stretch(0, schema, read_column(schema, array, 0, array.length));
    return static_cast<std::size_t>(array.length);
  }
  check_extent(schema, array, 1);
  check_children(schema, array);
  if (array.null_count > 0 && !array.buffers[0])
    refuse_contradiction(schema, "it has nulls, and no bitmap that says which");
  for (std::size_t k = 0; k < columns.size(); ++k) {
    arrow_stretch s = read_column(*schema.children[k], *array.children[k], array.offset, array.length);
    s.row_valid = bitmap_of(array, 0);
    add_stretch(k, *schema.children[k], std::move(s));
  }
  return static_cast<std::size_t>(array.length);
}

}  // namespace gs::inline GS_FLAVOUR::detail
