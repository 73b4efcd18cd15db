#include "runtime/instruments/finding.h"

namespace gs::inline GS_FLAVOUR {

std::string_view to_string(instrument i) {
  constexpr std::string_view names[] = {"memcheck", "initcheck", "racecheck", "synccheck", "leakcheck", "limits"};
  static_assert(std::size(names) == instrument_count);
  return names[static_cast<std::size_t>(i)];
}

std::string_view to_string(memory_space space) {
  constexpr std::string_view names[] = {"global", "shared", "local"};
  return names[static_cast<std::size_t>(space)];
}

std::string_view to_string(finding_kind kind) {
  constexpr std::string_view names[] = {
      "outside_shape",        "use_after_free",        "host_memory",       "device_memory",
      "unseen_access",        "uninitialized_read",    "race_in_block",     "race_between_blocks",
      "race_between_streams", "outside_each",          "divergent_barrier", "exited_lane",
      "divergent_lanes",      "exit_before_grid_sync", "plain_spin",        "leak",
      "launch_limit"};
  static_assert(std::size(names) == finding_kind_count);
  return names[static_cast<std::size_t>(kind)];
}

instrument instrument_of(finding_kind kind) {
  switch (kind) {
    case finding_kind::outside_shape:
    case finding_kind::use_after_free:
    case finding_kind::host_memory:
    case finding_kind::device_memory:
    case finding_kind::unseen_access:
      return instrument::memcheck;
    case finding_kind::uninitialized_read:
      return instrument::initcheck;
    case finding_kind::race_in_block:
    case finding_kind::race_between_blocks:
    case finding_kind::race_between_streams:
    case finding_kind::outside_each:
      return instrument::racecheck;
    case finding_kind::divergent_barrier:
    case finding_kind::exited_lane:
    case finding_kind::divergent_lanes:
    case finding_kind::exit_before_grid_sync:
    case finding_kind::plain_spin:
      return instrument::synccheck;
    case finding_kind::leak:
      return instrument::leakcheck;
    case finding_kind::launch_limit:
      break;
  }
  return instrument::limits;
}

}  // namespace gs::inline GS_FLAVOUR
