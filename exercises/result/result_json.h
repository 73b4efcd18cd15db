#pragma once
// The result of a check as one JSON document; exercises/README.md describes it.

#include <string>

#include "exercises/result/exercise_result.h"

namespace exercises {

std::string to_json(const exercise_result& r);

}  // namespace exercises
