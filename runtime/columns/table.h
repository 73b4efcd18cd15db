#pragma once
// gs::table: columns with names, each a device array.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/columns/column_type.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Columns of one length with names, in an order: a data frame of device arrays. A table can be moved; select() makes
/// another one that shares its columns' memory. It knows no missing values: see gs::import_arrow for columns with such.
class table {
 public:
  /// Without columns, and so without rows.
  table() = default;

  /// Appends a column, a device array of rank 1 with as many elements as the other columns have. Throws gs::error for
  /// another rank or length, and for a name that the table has already.
  template <column_element T>
  void add(const std::string& name, device_array<T> column) {
    add_column(name, std::move(column));
  }

  std::size_t rows() const;                                                  ///< the length of each column
  const std::vector<std::string>& names() const noexcept { return names_; }  ///< of the columns, in order
  bool has(std::string_view name) const noexcept;                            ///< whether there is such a column
  /// The type of a column's elements as NumPy names it: "float32". Throws gs::error as column() does.
  std::string dtype(std::string_view name) const;

  /// The column of that name. Throws gs::error if there is none, or if its elements are of another type.
  template <column_element T>
  const device_array<T>& column(std::string_view name) const {
    const auto* const found = std::get_if<device_array<T>>(&any(name));
    if (!found) refuse_type(name, detail::dtype_name<T>());
    return *found;
  }

  /// A table of these columns in this order, which share this one's memory. Throws gs::error for a name that isn't
  /// there or comes twice.
  table select(const std::vector<std::string>& names) const;
  /// Gives a column another name. Throws gs::error if there is no such column, or if the new name is another one's.
  void rename(std::string_view name, const std::string& new_name);

  /// For the runtime: a column of any type, and the same as an addition.
  const detail::any_column& any(std::string_view name) const;
  /// Appends a column of any type; throws as add() does.
  void add_column(const std::string& name, detail::any_column column);

 private:
  std::size_t place_of(std::string_view name) const;
  [[noreturn]] void refuse_type(std::string_view name, const std::string& asked) const;

  std::vector<std::string> names_;
  std::vector<detail::any_column> columns_;
};

}  // namespace gs::inline GS_FLAVOUR
