#pragma once
// What becomes of the findings in the log when an inspection ends.

#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/observing/finding_log.h"
#include "runtime/instruments/observing/inspect_options.h"
#include "runtime/instruments/places/site_table.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// Takes them out of the log: in the order of the source, each once for its places, with its sentences. The places of
/// all code are known.
std::vector<finding> finding_report(finding_log& log, const site_table& sites, const inspect_options& options);

}  // namespace gs::inline GS_FLAVOUR::instruments
