#include "runtime/instruments/counting/cost_counters.h"

#if GRIDSTRIDE_CHECKED

#include <string>
#include <utility>

#include "runtime/instruments/device_model/occupancy.h"

namespace gs::inline GS_FLAVOUR::instruments {

void cost_counters::begin_inspection() {
  requests_ = request_recorder();
  copies_.clear();
}

void cost_counters::add_to(inspection& result) {
  requests_.report(result, observed_.sites);
  result.copies = copies_by_line();
  const inspect_options& options = observed_.options;
  for (kernel_counters& k : result.kernels)
    k.occupancy = occupancy_of(model_of(options.model), k.block, k.static_shared_bytes + k.dynamic_shared_bytes,
                               options.registers_per_thread)
                      .share;
}

void cost_counters::copied_to_device(std::size_t bytes, const std::source_location& where) {
  copies_[observed_.sites.number_of_caller(where)].add({.copies_to_device = 1, .bytes_to_device = bytes});
}

void cost_counters::copied_to_host(std::uintptr_t /*address*/, std::size_t bytes, std::size_t /*element_bytes*/,
                                   const std::source_location& where) {
  copies_[observed_.sites.number_of_caller(where)].add({.copies_to_host = 1, .bytes_to_host = bytes});
}

// Several calls may stand in one line.
std::vector<line_copies> cost_counters::copies_by_line() const {
  std::map<std::pair<std::string, unsigned>, line_copies> lines;
  for (const auto& [caller, made] : copies_) {
    const source_place& place = observed_.sites.place(caller);
    const auto [line, is_new] = lines.try_emplace({place.file, place.line}, line_copies{.where = place});
    line->second.add(made);
  }
  std::vector<line_copies> sorted;
  for (const auto& [place, one] : lines) sorted.push_back(one);
  return sorted;
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
