#pragma once
// cuda_sources: what is written in CUDA C++ (dialect/), compiled in the place of a program, an exercise or a
// submission.

#include <string>
#include <vector>

#include "workshop/build_parts.h"
#include "workshop/compilation.h"
#include "workshop/source_file.h"

namespace workshop {

/// Whether one of them is: its name ends in .cu.
bool is_cuda(const std::vector<source_file>& sources);

/// Which headers are rewritten with the sources that include them.
enum class cuda_headers {
  beside_sources,  ///< those that lie beside them
  none             ///< for a source of somebody who isn't to learn what this machine's files hold
};

/// Has the request's sources compiled as CUDA C++, and linked as its parts say: their text becomes C++ on the lines
/// where it was. Throws gs::machine_error if the flavour's cuda_parts aren't built.
void compile_as_cuda(compile_request& request, cuda_headers headers = cuda_headers::beside_sources);

}  // namespace workshop
