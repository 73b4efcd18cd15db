#include "workbook/report.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "workbook/number_text.h"

namespace workbook {
namespace {

// Nine digits tell floats apart.
std::string at_most_9(double v) {
  return static_cast<double>(static_cast<float>(v)) == v ? shortest(v) : significant(v, 9);
}

}  // namespace

item& report::add(item entry) {
  item& added = items_.emplace_back(std::move(entry));
  if (on_item) on_item(added);
  return added;
}

void report::heading(std::string text) { add(workbook::heading{std::move(text)}); }
void report::paragraph(std::string text) { add(workbook::paragraph{std::move(text)}); }

table& report::table(std::string title, std::vector<column> columns) {
  return std::get<workbook::table>(add(workbook::table{std::move(title), std::move(columns), {}}));
}

bool report::add_check(workbook::check c) {
  const bool passed = c.passed;
  add(std::move(c));
  return passed;
}

bool report::check(std::string name, bool passed, std::source_location location) {
  return add_check({std::move(name), passed, "", "", location});
}

bool report::check_equal(std::string name, const cell& got, const cell& expected, std::source_location location) {
  // 5 and 5.0 are equal, though one is an integer and the other isn't.
  const auto real = [](const cell& c) -> std::optional<double> {
    if (const auto* i = std::get_if<long long>(&c.value())) return static_cast<double>(*i);
    if (const auto* d = std::get_if<double>(&c.value())) return *d;
    return {};
  };
  const bool mixed = got.value().index() != expected.value().index();
  const bool passed = mixed ? real(got) && real(expected) && *real(got) == *real(expected) : got == expected;
  const auto text = [](const cell& c) {
    const auto* d = std::get_if<double>(&c.value());
    return d ? shortest(*d) : to_text(c);
  };
  return add_check({std::move(name), passed, text(expected), text(got), location});
}

bool report::check_near(std::string name, double got, double expected, double tolerance,
                        std::source_location location) {
  const bool passed = std::abs(got - expected) <= tolerance * std::abs(expected);
  return add_check({std::move(name), passed, at_most_9(expected) + " within " + significant(tolerance, 3) + " of it",
                    at_most_9(got), location});
}

bool report::check_at_most(std::string name, double got, double limit, std::source_location location) {
  const bool passed = got <= limit;
  return add_check({std::move(name), passed, "at most " + significant(limit, 4), significant(got, 4), location});
}

void report::timing(std::string name, gs::timing time, work per_loop) {
  add(timed_statement{std::move(name), std::move(time), per_loop});
}

void report::prediction(const parameters& values, std::string_view name, double measured) {
  add(tested_prediction{values.asked(name), values.guess(name), measured});
}

void report::access_picture(std::string title, gs::warp_picture warp, std::size_t request) {
  plot(workbook::access_picture{.title = std::move(title), .warp = std::move(warp), .request = request});
}

void report::account(std::string name, const gs::ledger& account) { add(account_entry{std::move(name), account}); }

void report::plot(workbook::plot p) {
  validate(p);
  add(std::move(p));
}

void report::inspection(gs::inspection result, bool all_lines) { add(inspection_entry{std::move(result), all_lines}); }

void report::progress(double done, double total, std::string_view activity) const {
  if (on_progress) on_progress(total > 0 ? std::clamp(done / total, 0.0, 1.0) : 0.0, activity);
}

report report::inspected_part() const {
  report part;
  part.about = about;
  bool inspected = false;
  for (const item& i : items_) {
    inspected |= std::holds_alternative<inspection_entry>(i);
    const auto* c = std::get_if<workbook::check>(&i);
    if (inspected || (c && !c->passed)) part.items_.push_back(i);
  }
  return part;
}

std::size_t report::checks() const {
  return static_cast<std::size_t>(std::count_if(
      items_.begin(), items_.end(), [](const item& i) { return std::holds_alternative<workbook::check>(i); }));
}

std::size_t report::failed_checks() const {
  return static_cast<std::size_t>(std::count_if(items_.begin(), items_.end(), [](const item& i) {
    const auto* c = std::get_if<workbook::check>(&i);
    return c != nullptr && !c->passed;
  }));
}

std::size_t report::findings() const {
  std::size_t found = 0;
  for (const item& i : items_)
    if (const auto* entry = std::get_if<inspection_entry>(&i)) found += entry->result.findings.size();
  return found;
}

}  // namespace workbook
