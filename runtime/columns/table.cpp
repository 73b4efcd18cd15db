#include "runtime/columns/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {
namespace {

void check_column(const std::string& name, const detail::any_column& column, const table& t) {
  const auto column_text = [&] { return fmt::format("a column \"{}\"", name); };
  if (t.has(name)) throw error(column_text(), "the table has a column of that name", "give it another name");
  const shape extents = std::visit([](const auto& array) { return array.memory(), array.shape(); }, column);
  if (extents.rank() != 1)
    throw error(column_text(), "the array's shape is " + to_string(extents),
                "give an array of rank 1: x.reshape({-1})");
  if (!t.names().empty() && extents[0] != t.rows())
    throw error(column_text(), fmt::format("it has {} elements, and the table has {} rows", extents[0], t.rows()),
                "give one element for each row");
}

}  // namespace

std::size_t table::rows() const { return columns_.empty() ? 0 : detail::rows_of(columns_.front()); }

bool table::has(std::string_view name) const noexcept { return std::ranges::find(names_, name) != names_.end(); }

std::string table::dtype(std::string_view name) const { return detail::dtype_of(any(name)); }

std::size_t table::place_of(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end())
    throw error(fmt::format("the column \"{}\"", name),
                names_.empty() ? "the table has no columns"
                               : fmt::format("the table's columns are {}", fmt::join(names_, ", ")),
                "ask for a column that is there");
  return static_cast<std::size_t>(found - names_.begin());
}

const detail::any_column& table::any(std::string_view name) const { return columns_[place_of(name)]; }

void table::add_column(const std::string& name, detail::any_column column) {
  check_column(name, column, *this);
  names_.push_back(name);
  columns_.push_back(std::move(column));
}

table table::select(const std::vector<std::string>& names) const {
  table selected;
  for (const std::string& name : names) selected.add_column(name, detail::share(any(name)));
  return selected;
}

void table::rename(std::string_view name, const std::string& new_name) {
  const std::size_t place = place_of(name);
  if (new_name != name && has(new_name))
    throw error(fmt::format("the name \"{}\" for the column \"{}\"", new_name, name), "another column has it",
                "choose another name");
  names_[place] = new_name;
}

void table::refuse_type(std::string_view name, const std::string& asked) const {
  const std::string found = dtype(name);
  throw error(fmt::format("the column \"{}\" as {}", name, asked), "its elements are of type " + found,
              "ask for it by its own type");
}

}  // namespace gs::inline GS_FLAVOUR
