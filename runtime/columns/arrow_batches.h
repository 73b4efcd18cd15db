#pragma once
// What an import has checked: the columns of each batch, read from Arrow's structures, and these themselves.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/columns/arrow.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// A bitmap and the bit of the first row; null if every row's bit is 1.
struct arrow_bitmap {
  const void* bits = nullptr;
  std::size_t first = 0;
};

/// The elements of a column in one batch.
struct arrow_stretch {
  const void* data;        ///< the first element; of bools the bitmap
  std::size_t first;       ///< of bools: the first one's bit; else 0
  std::size_t size;        ///< rows
  arrow_bitmap valid;      ///< which of them are there
  arrow_bitmap row_valid;  ///< and which of the rows of the struct they are in

  bool is_valid(std::size_t row) const;
  std::size_t null_count() const;
};

struct arrow_column {
  std::string name, format;
  std::vector<arrow_stretch> stretches;  ///< one for each batch
};

/// Arrow's structures, which are released with their owner.
struct release_arrow {
  template <class Structure>
  void operator()(Structure* s) const {
    if (s->release) s->release(s);
    delete s;
  }
};
template <class Structure>
using owned_arrow = std::unique_ptr<Structure, release_arrow>;

struct arrow_batches {
  owned_arrow<ArrowSchema> schema;
  std::vector<owned_arrow<ArrowArray>> arrays;
  std::vector<arrow_column> columns;
  std::size_t rows = 0;
  arrow_nulls nulls = arrow_nulls::refuse;

  /// Throws gs::error if there is no such column.
  const arrow_column& column(std::string_view name) const;
};

/// The columns of a schema, without elements yet. Throws gs::error as import_arrow says.
std::vector<arrow_column> read_schema(const ArrowSchema& schema);
/// Appends an array's stretches to the columns of its schema, and returns how many rows they have.
std::size_t read_array(const ArrowSchema& schema, const ArrowArray& array, arrow_nulls nulls,
                       std::vector<arrow_column>& columns);

}  // namespace gs::inline GS_FLAVOUR::detail
