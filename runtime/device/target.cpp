#include "runtime/device/target.h"

#include <fmt/format.h>

#include <cstdlib>

#include "runtime/core/error.h"
#include "runtime/device/device.h"

namespace gs::inline GS_FLAVOUR {

std::string to_string(target t) {
  switch (t) {
    case target::cpu:
      return "cpu";
    case target::parallel:
      return "parallel";
    case target::device:
      return "device";
  }
  return "?";
}

std::string to_string(device_kind k) { return k == device_kind::engine ? "engine" : "cuda"; }

target_choice parse_target(std::string_view text) {
  if (text.empty() || text == "device") return {};
  if (text == "cpu") return {.ufunc = target::cpu};
  if (text == "parallel") return {.ufunc = target::parallel};
  if (text == "engine") return {.device = target_choice::engine};
  if (text == "cuda") return {.device = target_choice::cuda};
  throw error("GRIDSTRIDE_TARGET", fmt::format("'{}'", text), "use cpu, parallel, device, engine or cuda");
}

target default_target() {
  static const target the_target = [] {
    const char* text = std::getenv("GRIDSTRIDE_TARGET");
    const target asked = parse_target(text ? text : "").ufunc;
    current_device();  // says now, not later, if the device asked for isn't there
    return asked;
  }();
  return the_target;
}

}  // namespace gs::inline GS_FLAVOUR
