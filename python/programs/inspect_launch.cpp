// gridstride-python-inspect: runs a launch of Python's under the instruments. It is the checked flavour, which Python's
// own process isn't: so the kernel's module and the arrays travel here.
//
// Reads a JSON object from standard input:
//   module       the kernel's module, compiled for the instruments: its first function
//   source       the file that findings are to name
//   grid, block  extents; an empty block is the kernel's own
//   shared_bytes, cooperative
//   arguments    for each an object: of a device array "extents", and of both "begin" and "bytes" in the file of data
//   data         the file with the arguments' bytes
//   instruments, orders, model    as GRIDSTRIDE_INSPECT, GRIDSTRIDE_ORDERS and GRIDSTRIDE_GPU
// Writes a JSON object to standard output: "inspection", as --inspect --json does, and "text", as a terminal shows it;
// or "asked", "found" and "do". Exit status: 0 in both cases, 2 for wrong usage, 3 for what the machine lacks.

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "python/binding/abi.h"
#include "python/core/any_array.h"
#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/instruments/inspect.h"
#include "workbook/json/inspection_json.h"
#include "workbook/terminal/inspection_text.h"

namespace {

using namespace gridstride_python;
using nlohmann::json;

const function& kernel_of(const std::string& module) {
  const std::string asked = "inspect a kernel of " + module;
  void* const loaded = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!loaded) throw gs::error(asked, dlerror(), "compile it again");
  const auto list = reinterpret_cast<list_functions>(dlsym(loaded, entry_symbol));
  if (!list || list().version != abi_version || list().functions.empty())
    throw gs::error(asked, "it is no module of this version", "compile it again");
  return list().functions.front();
}

gs::extent3 extent_of(const json& numbers) {
  gs::extent3 extent;
  if (!numbers.empty()) extent.x = numbers.at(0);
  if (numbers.size() > 1) extent.y = numbers.at(1);
  if (numbers.size() > 2) extent.z = numbers.at(2);
  return extent;
}

// The arguments, as they arrived.
class launch_arguments {
 public:
  launch_arguments(const function& kernel, const json& request) {
    std::ifstream file(request.at("data").get<std::string>(), std::ios::binary);
    for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
      const json& described = request.at("arguments").at(k);
      std::vector<std::byte> bytes(described.at("bytes").get<std::size_t>());
      file.seekg(described.at("begin").get<std::streamoff>());
      if (!bytes.empty() &&
          !file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        throw gs::machine_error("inspect a launch", "the arguments didn't arrive whole",
                                "make room for temporary files");
      add(kernel.parameters[k], described, std::move(bytes));
    }
  }
  const argument* data() const { return passed_.data(); }

 private:
  void add(const parameter& p, const json& described, std::vector<std::byte> bytes) {
    if (p.kind == parameter_kind::view) {
      const gs::shape extents(described.at("extents").get<std::vector<std::size_t>>());
      arrays_.push_back(make_array(type_of_name(p.type, p.bytes), extents));
      const any_array& array = *arrays_.back();
      gs::detail::copy_host_to_device(array.data(), nullptr, bytes.data(), bytes.size());
      passed_.push_back({.data = array.data(), .extents = extents});
    } else {
      values_.push_back(std::move(bytes));
      passed_.push_back({.data = values_.back().data(), .extents = {}});
    }
  }

  std::vector<std::unique_ptr<any_array>> arrays_;
  std::vector<std::vector<std::byte>> values_;
  std::vector<argument> passed_;
};

// The module was compiled from a copy of the source, which is gone: its places become those of the source. Arrays were
// made in this file, which says nothing to Python's user.
void name_places(gs::inspection& result, const std::string& source) {
  const auto name = [&](gs::source_place& place) {
    if (std::filesystem::path(place.file).filename() == std::filesystem::path(source).filename()) place.file = source;
  };
  for (gs::finding& f : result.findings) {
    name(f.access.where);
    if (f.other) name(f.other->where);
    f.made = {};
  }
  for (gs::line_counters& c : result.lines) name(c.where), c.made = {};
  for (gs::kernel_counters& k : result.kernels) k.where = {};
  for (gs::warp_picture& p : result.pictures) name(p.where), p.made = {};
  result.copies.clear();
}

json inspect(const json& request) {
  gs::select_device(gs::device_kind::engine);
  const function& kernel = kernel_of(request.at("module"));
  const launch_arguments arguments(kernel, request);
  const gs::launch_options options{.grid = extent_of(request.at("grid")),
                                   .block = extent_of(request.at("block")),
                                   .shared_bytes = request.at("shared_bytes"),
                                   .cooperative = request.at("cooperative")};
  gs::inspection result = gs::inspect([&] {
    kernel.launch(options, arguments.data());
    gs::synchronize();
  });
  name_places(result, request.at("source"));
  return {{"inspection", workbook::inspection_json(result)}, {"text", workbook::to_text(result, {.width = 100})}};
}

json error_json(const gs::error& e) { return {{"asked", e.asked()}, {"found", e.found()}, {"do", e.advice()}}; }

}  // namespace

int main() {
  const auto write = [](const json& answer) {
    std::cout << answer.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
  };
  try {
    const json request = json::parse(std::string(std::istreambuf_iterator<char>(std::cin), {}));
    for (const auto& [variable, member] :
         {std::pair{"GRIDSTRIDE_INSPECT", "instruments"}, std::pair{"GRIDSTRIDE_ORDERS", "orders"},
          std::pair{"GRIDSTRIDE_GPU", "model"}})
      if (const std::string value = request.at(member); !value.empty()) setenv(variable, value.c_str(), 1);
    write(inspect(request));
    return 0;
  } catch (const gs::machine_error& e) {
    write(error_json(e));
    return 3;
  } catch (const gs::error& e) {
    write(error_json(e));
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "gridstride-python-inspect: " << e.what() << "; give a request as JSON on standard input\n";
    return 2;
  }
}
