#pragma once
// The record of a run for programs: one JSON document. bench/README.md describes it.

#include <nlohmann/json_fwd.hpp>

#include "bench/report/baseline.h"
#include "bench/report/run_record.h"

namespace bench {

nlohmann::ordered_json to_json(const run_record& record);
/// Its member "machine".
nlohmann::ordered_json to_json(const machine& m);
/// The member "against" of a run that was compared with an earlier one.
nlohmann::ordered_json to_json(const comparison_with_baseline& c);

}  // namespace bench
