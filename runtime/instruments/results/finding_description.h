#pragma once
// What an instrument says of itself: its name, and the kinds of its findings with the sentences that tell of one.

#include <span>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR::detail {

struct finding_description {
  finding_kind kind;
  std::string_view name;
  /// Fills in `meaning` and `hint`: a sentence each, what happened and what to do about it.
  void (*describe)(finding& found);
};

struct instrument_description {
  instrument number;
  std::string_view name;
  std::span<const finding_description> findings;
};

}  // namespace gs::inline GS_FLAVOUR::detail
