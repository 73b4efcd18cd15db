#pragma once
// The sentences of a finding: what happened, and what to do about it.

#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Fills in `meaning` and `hint` from the other members: a sentence each. Accesses are shown as they stand in the
/// source, where the file can still be read.
void describe(finding& found);

/// The same for a finding_kind::launch_limit, from what the GPU refuses (launch_refusals.h).
void describe(finding& found, const error& refusal);

}  // namespace gs::inline GS_FLAVOUR::detail
