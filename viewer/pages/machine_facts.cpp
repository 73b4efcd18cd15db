#include "viewer/pages/machine_facts.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/core/error.h"
#include "workbook/json/read_json.h"

namespace viewer {
namespace {

using json = workbook::read_json_value;

std::string value_of(const json& j) {
  if (j.is_null()) return "not found";
  return j.is_string() ? j.get<std::string>() : j.dump();
}

std::string size_of(const json& j) {
  if (!j.is_number()) return "unknown";
  double size = j.get<double>();
  const char* unit = "bytes";
  for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = larger;
  }
  return size < 10 && size != std::trunc(size) ? fmt::format("{:.1f} {}", size, unit)
                                               : fmt::format("{:.0f} {}", size, unit);
}

machine_facts read(const json& document) {
  machine_facts facts;
  const json& processor = document.at("processor");
  const json& caches = processor.at("caches");
  const json& bits = processor.at("vector_bits");
  std::string vector_unit = value_of(processor.at("vector_unit"));
  if (bits.is_number()) vector_unit += fmt::format(", {} bits", bits.get<int>());
  facts.groups.push_back({"Processor",
                          {{"Name", value_of(processor.at("name"))},
                           {"Architecture", value_of(processor.at("architecture"))},
                           {"Cores", value_of(processor.at("cores"))},
                           {"Vectors", vector_unit},
                           {"Caches", fmt::format("L1 {}, L2 {}, L3 {}", size_of(caches.at("L1d")),
                                                  size_of(caches.at("L2")), size_of(caches.at("L3")))}}});
  facts.groups.push_back({"Memory",
                          {{"Size", size_of(document.at("memory"))},
                           {"Compilers", fmt::format("{} at a time", value_of(document.at("build_jobs")))}}});
  machine_facts::group gpus{"GPU"};
  for (const json& gpu : document.at("gpus")) {
    gpus.lines.emplace_back("Name", value_of(gpu.at("name")));
    gpus.lines.emplace_back("Driver", value_of(gpu.at("driver")));
    gpus.lines.emplace_back("Capability", value_of(gpu.at("compute_capability")));
  }
  if (gpus.lines.empty()) gpus.lines.emplace_back("Name", "none found: kernels run on the engine, the CPU device");
  facts.groups.push_back(std::move(gpus));
  facts.groups.push_back(
      {"Tools",
       {{document.at("compiler").value("name", "g++"), value_of(document.at("compiler").at("version"))},
        {"CMake", value_of(document.at("cmake"))},
        {"Ninja", value_of(document.at("ninja"))},
        {"nvcc", value_of(document.at("nvcc"))}}});
  for (const json& p : document.at("packages")) {
    const json& installed = p.at("installed");
    facts.packages.push_back({value_of(p.at("name")), value_of(p.at("group")), value_of(p.at("why")),
                              value_of(p.at("cost")),
                              installed.is_boolean() ? std::optional(installed.get<bool>()) : std::nullopt});
  }
  for (const json& cost : document.at("costs")) facts.costs.push_back(value_of(cost));
  return facts;
}

}  // namespace

machine_facts read_machine_facts(std::string_view text) {
  try {
    return read(workbook::read_json(text, "reading what doctor says", "run ./gridstride doctor --json and look"));
  } catch (const json::exception& e) {
    throw gs::error("reading what doctor says", e.what(), "run ./gridstride doctor --json and look");
  }
}

}  // namespace viewer
