#include "runtime/instruments/observing/inspect_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "runtime/core/error.h"
#include "runtime/instruments/device_model/device_model.h"

namespace gs::inline GS_FLAVOUR {
namespace {

constexpr unsigned most_orders = 1000;

std::string known_names() {
  std::string all;
  for (std::size_t i = 0; i < detail::instrument_count; ++i)
    all += fmt::format("{}, ", to_string(static_cast<instrument>(i)));
  return all + "counters, same_value_races, all or none";
}

void apply(inspect_options& options, std::string_view word) {
  const bool on = !word.starts_with('-');
  const std::string_view name = on ? word : word.substr(1);
  if (name == "all" || name == "none") {
    options.instruments = 0;
    options.counters = (name == "all") == on;
    if (options.counters) options.instruments.flip();
    return;
  }
  if (name == "counters") {
    options.counters = on;
    return;
  }
  if (name == "same_value_races") {
    options.same_value_races = on;
    return;
  }
  for (std::size_t i = 0; i < detail::instrument_count; ++i) {
    if (name == to_string(static_cast<instrument>(i))) {
      options.instruments[i] = on;
      return;
    }
  }
  throw error("GRIDSTRIDE_INSPECT", fmt::format("'{}' is no instrument", name), "use " + known_names());
}

}  // namespace

inspect_options inspect_options::from_environment() {
  inspect_options options;
  if (const char* text = std::getenv("GRIDSTRIDE_INSPECT"); text && *text) {
    std::string_view left = text;
    if (left.front() != '-') apply(options, "none");  // the names are those that are wanted
    while (!left.empty()) {
      const std::size_t comma = std::min(left.find(','), left.size());
      apply(options, left.substr(0, comma));
      left.remove_prefix(std::min(comma + 1, left.size()));
    }
  }
  if (const char* text = std::getenv("GRIDSTRIDE_ORDERS"); text && *text) {
    const std::string_view all = text;
    const auto [end, failure] = std::from_chars(all.begin(), all.end(), options.orders);
    if (failure != std::errc() || end != all.end() || options.orders < 1 || options.orders > most_orders)
      throw error("GRIDSTRIDE_ORDERS", fmt::format("'{}' is no number of orders", all),
                  fmt::format("use a number from 1 to {}", most_orders));
  }
  if (const char* text = std::getenv("GRIDSTRIDE_GPU"); text && *text) options.model = text;
  model_of(options.model);  // refuses what it doesn't know
  return options;
}

}  // namespace gs::inline GS_FLAVOUR
