#include "workbook/table.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "runtime/core/error.h"
#include "workbook/number_text.h"

namespace workbook {

quantity seconds(double s) { return {s, "s"}; }
quantity bytes(double b) { return {b, "B"}; }
quantity bytes_per_second(double b) { return {b, "B/s"}; }
quantity operations_per_second(double o) { return {o, "FLOP/s"}; }

cell::cell() = default;
cell::cell(const cell&) = default;
cell::cell(cell&&) noexcept = default;
cell& cell::operator=(const cell&) = default;
cell& cell::operator=(cell&&) noexcept = default;
cell::~cell() = default;

cell::cell(bool v) : content_(v) {}
cell::cell(long long v) : content_(v) {}
cell::cell(double v) : content_(v) {}
cell::cell(quantity v) : content_(std::move(v)) {}
cell::cell(std::string v) : content_(std::move(v)) {}
cell::cell(std::string_view v) : content_(std::string(v)) {}
cell::cell(const char* v) : content_(std::string(v)) {}
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

column::column() = default;
column::column(const column&) = default;
column::column(column&&) noexcept = default;
column& column::operator=(const column&) = default;
column& column::operator=(column&&) noexcept = default;
column::~column() = default;
column::column(const char* name, const char* unit) : name(name), unit(unit) {}
column::column(std::string name, std::string unit) : name(std::move(name)), unit(std::move(unit)) {}

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
