#pragma once
// What an instrument says of itself: its name, and the kinds of its findings with the sentences that tell of one.

#include <span>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR::detail {

/// What there is to say of a kind of findings.
struct finding_description {
  finding_kind kind;      ///< which kind
  std::string_view name;  ///< as `--json` and the viewer write it
  /// Fills in `meaning` and `hint`: a sentence each, what happened and what to do about it.
  void (*describe)(finding& found);
};

/// What there is to say of an instrument.
struct instrument_description {
  instrument number;                              ///< which instrument
  std::string_view name;                          ///< as GRIDSTRIDE_INSPECT takes it
  std::span<const finding_description> findings;  ///< the kinds that it finds
};

}  // namespace gs::inline GS_FLAVOUR::detail
