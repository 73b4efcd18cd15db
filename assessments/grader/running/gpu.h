#pragma once
// gpu: whether submissions can run on this machine's GPU.

#include <string>

#include "workshop/sandbox.h"

namespace grader {

using workshop::isolation;

/// The GPU's name, as a submission in a sandbox of this level finds it. Throws gs::machine_error where there is no GPU,
/// the cuda preset's submission_parts aren't built, or the driver doesn't work in the sandbox.
std::string gpu_name(isolation level);

}  // namespace grader
