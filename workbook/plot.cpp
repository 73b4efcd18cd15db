#include "workbook/plot.h"

#include <fmt/format.h>

#include <cmath>

#include "runtime/core/error.h"
#include "runtime/instruments/device_model/memory_model.h"

namespace workbook {
namespace {

void check_axis(const std::string& title, const char* which, const axis& a) {
  for (const auto& end : {a.min, a.max})
    if (end && (!std::isfinite(*end) || (a.log && *end <= 0)))
      throw gs::error(fmt::format("the plot \"{}\"", title),
                      fmt::format("its {} axis{} is to end at {}", which, a.log ? ", which is logarithmic," : "", *end),
                      a.log ? "give a positive number" : "give a finite number");
  if (a.min && a.max && *a.min >= *a.max)
    throw gs::error(fmt::format("the plot \"{}\"", title),
                    fmt::format("its {} axis runs from {} to {}", which, *a.min, *a.max), "give min below max");
}

void check_length(const std::string& title, const std::string& what, std::size_t size, std::size_t expected) {
  if (size != expected)
    throw gs::error(fmt::format("the plot \"{}\"", title), fmt::format("{} has {} values", what, size),
                    fmt::format("give {}", expected));
}

struct validator {
  void operator()(const xy_plot& p) const {
    check_axis(p.title, "x", p.x);
    check_axis(p.title, "y", p.y);
    for (const series& s : p.series) {
      if (!s.x.empty()) check_length(p.title, fmt::format("x of \"{}\"", s.name), s.x.size(), s.y.size());
      if (!s.spread.empty())
        check_length(p.title, fmt::format("spread of \"{}\"", s.name), s.spread.size(), s.y.size());
    }
  }
  void operator()(const bar_plot& p) const {
    check_axis(p.title, "value", p.value);
    for (const bars& b : p.groups) {
      check_length(p.title, fmt::format("the group \"{}\"", b.name), b.values.size(), p.categories.size());
      if (!b.spread.empty())
        check_length(p.title, fmt::format("spread of \"{}\"", b.name), b.spread.size(), p.categories.size());
    }
  }
  void operator()(const heat_map& p) const {
    check_axis(p.title, "x", p.x);
    check_axis(p.title, "y", p.y);
    check_axis(p.title, "value", p.value);
    check_length(p.title, fmt::format("the matrix of {} rows and {} columns", p.rows, p.columns), p.values.size(),
                 p.rows * p.columns);
  }
  void operator()(const access_picture& p) const {
    const std::string asked = fmt::format("the access picture \"{}\"", p.title);
    if (p.request >= p.warp.requests.size())
      throw gs::error(asked, fmt::format("there is no request {} among {}", p.request, p.warp.requests.size()),
                      "count requests from 0");
    if (p.warp.requests[p.request].space == gs::memory_space::local)
      throw gs::error(asked, "its request is to local memory, which has neither sectors nor banks",
                      "choose an access to global or shared memory");
    gs::cost_of(p.warp.requests[p.request]);
  }
};

// Counts the values of a plot, and those that are NaN.
struct nan_counter {
  std::size_t values = 0, nan = 0;

  void operator()(const samples& s) {
    values += s.size();
    for (std::size_t i = 0; i < s.size(); ++i) nan += std::isnan(s[i]);
  }
  void operator()(const xy_plot& p) {
    for (const series& s : p.series) (*this)(s.y);
  }
  void operator()(const bar_plot& p) {
    for (const bars& b : p.groups) (*this)(b.values);
  }
  void operator()(const heat_map& p) { (*this)(p.values); }
  void operator()(const access_picture&) {}
};

}  // namespace

const std::string& title_of(const plot& p) {
  return std::visit([](const auto& kind) -> const std::string& { return kind.title; }, p);
}

void validate(const plot& p) { std::visit(validator{}, p); }

bool only_nan(const plot& p) {
  nan_counter counted;
  std::visit([&](const auto& kind) { counted(kind); }, p);
  return counted.values > 0 && counted.nan == counted.values;
}

}  // namespace workbook
