#pragma once
// own_gpu: which of a machine's GPUs a process uses, where several processes of one program share the machine.

#include <string>

#include "runtime/core/config.h"
#include "runtime/host/core_share.h"

namespace gs::inline GS_FLAVOUR::detail {

/// What CUDA_VISIBLE_DEVICES has to be for that process: one of the GPUs that `listed`, its value so far, names, or
/// where it is empty one of the machine's `gpus`. Processes take them in turn. `listed` itself where there is nothing
/// to choose.
std::string visible_gpu(const core_share& process, const std::string& listed, unsigned gpus);

/// Sets the variable so for this process. Has to come before CUDA is first asked for anything.
void choose_own_gpu();

}  // namespace gs::inline GS_FLAVOUR::detail
