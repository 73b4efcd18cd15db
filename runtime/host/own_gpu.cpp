#include "runtime/host/own_gpu.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// A folder for each, which the driver makes.
unsigned gpus_of_machine() {
  unsigned count = 0;
  std::error_code ignored;
  const std::filesystem::directory_iterator folders("/proc/driver/nvidia/gpus", ignored);
  for ([[maybe_unused]] const auto& gpu : folders) ++count;
  return count;
}

}  // namespace

std::string visible_gpu(const core_share& process, const std::string& listed, unsigned gpus) {
  if (process.processes <= 1) return listed;
  std::vector<std::string> names;
  std::istringstream list(listed);
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  if (listed.empty())
    for (unsigned gpu = 0; gpu < gpus; ++gpu) names.push_back(std::to_string(gpu));
  return names.empty() ? listed : names[process.process % names.size()];
}

void choose_own_gpu() {
  constexpr const char* variable = "CUDA_VISIBLE_DEVICES";
  const char* const listed = std::getenv(variable);
  const std::string own = visible_gpu(launched_here(), listed ? listed : "", listed ? 0 : gpus_of_machine());
  if (!own.empty()) setenv(variable, own.c_str(), 1);
}

}  // namespace gs::inline GS_FLAVOUR::detail
