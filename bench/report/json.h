#pragma once
// The record of a run for programs: one JSON document. bench/README.md describes it.

#include <nlohmann/json_fwd.hpp>

#include "bench/report/run_record.h"

namespace bench {

nlohmann::ordered_json to_json(const run_record& record);

}  // namespace bench
