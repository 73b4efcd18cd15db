#pragma once
// Tables as data: typed cells, so that a number stays a number in JSON and is aligned and rounded for people.

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace workbook {

/// A number with a unit, written with three significant digits and the prefix that fits: 3.42 ms, 400 MB, 27.1 GB/s.
struct quantity {
  double value = 0;
  std::string unit = {};  ///< "s", "B", "B/s", "FLOP/s"

  friend bool operator==(const quantity&, const quantity&) = default;
};
quantity seconds(double s);
quantity bytes(double b);
quantity bytes_per_second(double b);
quantity operations_per_second(double o);

/// What a cell of a table holds: nothing, a truth value, an integer, a real number, a quantity or a text.
class cell {
 public:
  using content = std::variant<std::monostate, bool, long long, double, quantity, std::string>;

  // Defined in table.cpp, as everything that makes a table: inline, a lesson would compile them for each of its cells.
  cell();
  cell(const cell&);
  cell(cell&&) noexcept;
  cell& operator=(const cell&);
  cell& operator=(cell&&) noexcept;
  ~cell();

  cell(bool v);  // NOLINT: whatever fits into a cell converts
  template <std::integral I>
  requires(!std::is_same_v<I, bool>) cell(I v) : cell(static_cast<long long>(v)) {}  // NOLINT
  cell(long long v);                                                                 // NOLINT
  /// A float is kept as the shortest decimal that is that float, so 0.1f shows as 0.1.
  cell(float v);             // NOLINT
  cell(double v);            // NOLINT
  cell(quantity v);          // NOLINT
  cell(std::string v);       // NOLINT
  cell(std::string_view v);  // NOLINT
  cell(const char* v);       // NOLINT

  const content& value() const { return content_; }
  content& value() { return content_; }
  bool is_number() const;

  friend bool operator==(const cell&, const cell&) = default;

 private:
  content content_;
};

struct column {
  column();
  column(const column&);
  column(column&&) noexcept;
  column& operator=(const column&);
  column& operator=(column&&) noexcept;
  ~column();
  column(const char* name, const char* unit = "");  // NOLINT
  column(std::string name, std::string unit = "");  // NOLINT

  std::string name;
  std::string unit;           ///< of all numbers in the column; empty where there is none or the cells are quantities
  std::optional<int> digits;  ///< significant digits of its real numbers; 4 if not given
};

/// A table. Text is aligned left, numbers right.
struct table {
  std::string title;
  std::vector<column> columns;
  std::vector<std::vector<cell>> rows;

  /// Adds a row. Throws gs::error unless there is one cell for each column.
  template <class... C>
  requires(std::is_constructible_v<cell, C> && ...) table& row(C&&... cells) {
    return add_row({cell(std::forward<C>(cells))...});
  }

  table& add_row(std::vector<cell> cells);
};

/// How a cell is written for people: 1,000,000; 3.142; 1.5 ms; yes. A real number gets `digits` significant digits.
std::string to_text(const cell& c, int digits = 4);

}  // namespace workbook
