#include "workbook/table.h"

#include <fmt/format.h>

#include <charconv>

#include "runtime/core/error.h"
#include "workbook/number_text.h"

namespace workbook {

cell::cell(float v) {
  char text[64];
  const auto written = std::to_chars(text, text + sizeof text, v);
  double shortest = 0;
  std::from_chars(text, written.ptr, shortest);
  content_ = shortest;
}

bool cell::is_number() const {
  return std::holds_alternative<long long>(content_) || std::holds_alternative<double>(content_) ||
         std::holds_alternative<quantity>(content_);
}

table& table::add_row(std::vector<cell> cells) {
  if (cells.size() != columns.size())
    throw gs::error(fmt::format("a row of the table \"{}\"", title),
                    fmt::format("{} cells for {} columns", cells.size(), columns.size()), "give one cell per column");
  rows.push_back(std::move(cells));
  return *this;
}

std::string to_text(const cell& c, int digits) {
  struct writer {
    int digits;
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool v) const { return v ? "yes" : "no"; }
    std::string operator()(long long v) const { return grouped(v); }
    std::string operator()(double v) const { return significant(v, digits); }
    std::string operator()(const quantity& v) const { return to_text(v); }
    std::string operator()(const std::string& v) const { return v; }
  };
  return std::visit(writer{digits}, c.value());
}

}  // namespace workbook
