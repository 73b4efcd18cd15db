#pragma once
// Columns to and from other libraries, by Arrow's C Data Interface and C Stream Interface: gs::import_arrow borrows the
// host's columns of another library, gs::export_arrow lends those of a table.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/columns/arrow_interface.h"
#include "runtime/columns/column_type.h"
#include "runtime/columns/table.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// What becomes of Arrow's missing values, its nulls, which a table doesn't know. They are never ignored.
enum class arrow_nulls : std::uint8_t {
  refuse,  ///< an import with nulls is a gs::error
  flags,   ///< a column "x.valid" of bools beside "x": false is a null, in whose place 0 stands in "x"
};

/// `gs::import_arrow(&schema, &array, {.nulls = gs::arrow_nulls::flags})`.
struct arrow_options {
  arrow_nulls nulls = arrow_nulls::refuse;  ///< missing values
};

namespace detail {

struct arrow_column;  // a column's type and name, and where its elements are in each batch
struct arrow_batches;

}  // namespace detail

/// Columns of another library, in the host's memory and in its hands: borrowed until this object is gone, when they are
/// released. To compute with them on the device, copy them there: gs::to_device. It can be moved.
class arrow_table {
 public:
  arrow_table(arrow_table&&) noexcept;             ///< takes the other's columns, and leaves it without
  arrow_table& operator=(arrow_table&&) noexcept;  ///< the same, and releases its own
  ~arrow_table();

  std::size_t rows() const;                ///< the length of each column, all batches together
  std::size_t batches() const;             ///< in how many pieces the columns come: 1, unless they came as a stream
  std::vector<std::string> names() const;  ///< of the columns, in order
  std::string dtype(std::string_view name) const;       ///< as NumPy names it: "float32"
  std::size_t null_count(std::string_view name) const;  ///< how many elements are missing

  /// The elements of a column, where the other library has them: nothing is copied. In the place of a null stands
  /// anything. Throws gs::error if there is no such column or batch, if the elements are of another type, and for
  /// bools, which Arrow packs eight to a byte: ask for bits().
  template <column_element T>
  std::span<const T> column(std::string_view name, std::size_t batch = 0) const {
    const auto found = elements(name, batch, detail::dtype_name<T>());
    return {static_cast<const T*>(found.data), found.size};
  }
  /// A column of bools, copied.
  std::vector<bool> bits(std::string_view name) const;
  /// For each element of a column, whether it is there.
  std::vector<bool> valid(std::string_view name) const;

  /// For the runtime.
  const detail::arrow_batches& read() const { return *batches_; }
  /// Takes over what has been checked.
  explicit arrow_table(std::unique_ptr<detail::arrow_batches> batches);

 private:
  struct stretch {
    const void* data;
    std::size_t size;
  };
  stretch elements(std::string_view name, std::size_t batch, const std::string& dtype) const;

  std::unique_ptr<detail::arrow_batches> batches_;
};

/// Takes over an array and its schema by Arrow's C Data Interface; both structures are then marked as released, and
/// their owner is the result. The array is a struct, of which each child is a column, or a column by itself. Offsets
/// (sliced arrays) are honoured. Columns are of bools, integers of 8 to 64 bits, float32 or float64. Throws gs::error,
/// and leaves both to the caller, for other types (text, times, dictionaries, nested lists), for a released structure,
/// for nulls unless the options ask for flags, and for what contradicts itself or the interface.
arrow_table import_arrow(ArrowSchema* schema, ArrowArray* array, const arrow_options& options = {});

/// The same of all arrays that a stream has, which then is released: they are the batches of one table. Throws as
/// above, and the stream's own message if it fails; then, too, the stream is released.
arrow_table import_arrow(ArrowArrayStream* stream, const arrow_options& options = {});

/// A table on the current device with the columns of another library; one copy for each column and batch, counted.
/// Bools and, where flags for nulls were asked for, columns with nulls are unpacked on the host first. Throws gs::error
/// if a column's name is another one's.
table to_device(const arrow_table& columns);

/// Lends a table by Arrow's C Data Interface: writes a struct array of its columns and the schema, which the consumer
/// releases. Waits for everything that is queued on the device. On the engine the columns are lent where they lie, each
/// a loan in the ledger, and live until the array is released, whatever becomes of the table; leave them unchanged
/// until then, and don't reset the device. From a GPU, and from an engine whose memory is closed to the host, they are
/// copied to the host, and counted; so are bools always, since Arrow packs them. With `.nulls = flags`, a column
/// "x.valid" of bools beside "x" becomes its validity bitmap; without, it is a column as any other.
void export_arrow(const table& t, ArrowSchema* schema, ArrowArray* array, const arrow_options& options = {});

/// The same as a stream of one array, which is what most libraries take a whole table from.
void export_arrow(const table& t, ArrowArrayStream* stream, const arrow_options& options = {});

}  // namespace gs::inline GS_FLAVOUR
