#include "python/core/call.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "python/core/call_argument.h"
#include "python/core/call_output.h"
#include "python/core/module_file.h"
#include "python/core/python_names.h"
#include "python/core/waiting.h"
#include "runtime/core/error.h"
#include "runtime/ufunc/broadcast.h"
#include "runtime/ufunc/core_shapes.h"

namespace gridstride_python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

using optional_stream = std::optional<gs::stream*>;

call_target target_of(nb::handle target, gs::stream* stream) {
  call_target request{.chosen = std::nullopt, .stream = stream};
  if (target.is_none()) return request;
  const std::string name = nb::cast<std::string>(target);
  for (const gs::target known : {gs::target::cpu, gs::target::parallel, gs::target::device})
    if (name == gs::to_string(known)) request.chosen = known;
  if (!request.chosen)
    throw gs::error("a call on a target", "'" + name + "' is none", "use 'cpu', 'parallel', 'device' or a stream");
  return request;
}

std::string argument_text(const function& f, std::size_t k) {
  return fmt::format("{}, argument {}", signature_text(f), k + 1);
}

void check_count(const function& f, std::size_t count, std::size_t wanted) {
  if (count != wanted)
    throw gs::error(signature_text(f), fmt::format("{} arguments were given", count), fmt::format("give {}", wanted));
}

element_type type_of(const parameter& p) { return type_of_name(p.type, p.bytes); }

std::vector<call_argument> read_inputs(const function& f, const nb::tuple& arguments, std::size_t count) {
  std::vector<call_argument> inputs;
  inputs.reserve(count);
  for (std::size_t k = 0; k < count; ++k)
    inputs.emplace_back(arguments[k], type_of(f.parameters[k]), argument_text(f, k));
  return inputs;
}

bool any_device(const std::vector<call_argument>& inputs) {
  return std::ranges::any_of(inputs, [](const call_argument& a) { return a.is_device(); });
}

// Places the inputs, runs `loop(executor, out, operands)` and brings the output home, all without the GIL.
template <class Loop>
void run_call(const function& f, const call_target& request, gs::target target, std::vector<call_argument>& inputs,
              const std::vector<std::size_t>& trailing_ones, call_output& out, const gs::shape& result,
              const Loop& loop) {
  const nb::gil_scoped_release others_run;
  const gs::detail::executor run(target, request.stream);
  std::vector<operand> operands;
  std::vector<std::size_t> bytes;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    operands.push_back(inputs[k].place(run.on_device(), !run.on_one_core()));
    for (std::size_t one = 0; one < trailing_ones[k]; ++one) operands[k].extents.push_back(1);
    bytes.push_back(type_of(f.parameters[k]).bytes);
  }
  void* const to = out.begin(run, result, operands, bytes);
  loop(run, to, operands.data());
  out.end(run);
}

nb::object call_broadcast(const function& f, const call_target& request, std::vector<call_argument>& inputs,
                          const std::vector<std::size_t>& trailing_ones, nb::handle into) {
  std::vector<gs::shape> extents;
  extents.reserve(inputs.size());
  std::vector<const gs::shape*> shapes;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    extents.push_back(inputs[k].shape());
    for (std::size_t one = 0; one < trailing_ones[k]; ++one) extents[k].push_back(1);
    shapes.push_back(&extents[k]);
  }
  gs::shape result = gs::detail::broadcast(shapes);
  call_output out(into, type_of(f.result), signature_text(f));
  const bool numbers = !out.is_given() && std::ranges::all_of(inputs, &call_argument::is_number);
  const gs::target target = numbers ? gs::target::cpu : request.of_call(any_device(inputs) || out.is_device());
  if (out.is_given()) {
    gs::detail::check_out_shape(result, out.shape());
    result = out.shape();
  }
  out.make(result, !numbers && (any_device(inputs) || out.is_device()));
  run_call(f, request, target, inputs, trailing_ones, out, result,
           [&](const gs::detail::executor& run, void* to, const operand* in) { f.elementwise(run, to, result, in); });
  return out.result();
}

nb::object call(const function& f, const nb::tuple& arguments, nb::handle out, nb::handle target, gs::stream* stream) {
  check_count(f, arguments.size(), f.parameters.size());
  std::vector<call_argument> inputs = read_inputs(f, arguments, arguments.size());
  return call_broadcast(f, target_of(target, stream), inputs, std::vector<std::size_t>(inputs.size()), out);
}

nb::object outer(const function& f, nb::handle a, nb::handle b, nb::handle out, nb::handle target, gs::stream* stream) {
  check_count(f, 2, f.parameters.size());
  std::vector<call_argument> inputs = read_inputs(f, nb::make_tuple(a, b), 2);
  return call_broadcast(f, target_of(target, stream), inputs, {inputs[1].shape().rank(), 0}, out);
}

// --- folds -----------------------------------------------------------------------------------------------------------

nb::object reduce(const function& f, nb::handle array, nb::handle axis, nb::handle initial, nb::handle into,
                  nb::handle target, gs::stream* stream) {
  const std::string asked = std::string(f.name) + ".reduce";
  const element_type type = type_of(f.result);
  std::vector<call_argument> inputs;
  inputs.emplace_back(array, type, asked);
  const gs::shape extents = inputs[0].shape();
  gs::detail::axis_split split{1, extents.size(), 1, 0};
  gs::shape result;
  if (!axis.is_none()) {
    split = gs::detail::split_at(extents, gs::axis(nb::cast<int>(axis)));
    result = extents.without(split.number);
  }
  operand start;
  if (!initial.is_none()) write_number(initial, type, start.value.data(), asked + ", the initial value");
  if (split.length == 0 && result.size() > 0 && initial.is_none()) gs::detail::refuse_empty_reduction(extents);
  const call_target request = target_of(target, stream);
  call_output out(into, type, asked);
  const gs::shape made = result;
  if (out.is_given()) {
    if (axis.is_none())
      gs::detail::check_reduced_output(out.shape());
    else
      gs::detail::check_out_shape(result, out.shape());
    result = out.shape();
  }
  out.make(result, inputs[0].is_device() || out.is_device());
  run_call(f, request, request.of_call(inputs[0].is_device() || out.is_device()), inputs, {0}, out, made,
           [&](const gs::detail::executor& run, void* to, const operand* in) {
             f.reduction(run, to, in->data, split, initial.is_none() ? nullptr : start.value.data());
           });
  return out.result();
}

nb::object accumulate(const function& f, nb::handle array, int axis, nb::handle into, nb::handle target,
                      gs::stream* stream) {
  const std::string asked = std::string(f.name) + ".accumulate";
  const element_type type = type_of(f.result);
  std::vector<call_argument> inputs;
  inputs.emplace_back(array, type, asked);
  const gs::shape extents = inputs[0].shape();
  const gs::detail::axis_split split = gs::detail::split_at(extents, gs::axis(axis));
  const call_target request = target_of(target, stream);
  call_output out(into, type, asked);
  if (out.is_given()) gs::detail::check_copy_shape(out.shape(), extents);
  out.make(extents, inputs[0].is_device() || out.is_device());
  run_call(
      f, request, request.of_call(inputs[0].is_device() || out.is_device()), inputs, {0}, out, extents,
      [&](const gs::detail::executor& run, void* to, const operand* in) { f.accumulation(run, to, in->data, split); });
  return out.result();
}

// --- generalised ufuncs ----------------------------------------------------------------------------------------------

nb::object generalised(const function& f, const nb::tuple& arguments, const nb::tuple& outs, nb::handle target,
                       gs::stream* stream) {
  const gs::detail::layout layout = gs::detail::parse_layout(f.layout);
  check_count(f, arguments.size(), layout.inputs);
  if (outs.size() != 0 && outs.size() != layout.outputs)
    throw gs::error(signature_text(f), fmt::format("{} outputs were given", outs.size()),
                    fmt::format("give {}, or none", layout.outputs));
  std::vector<call_argument> inputs = read_inputs(f, arguments, layout.inputs);
  std::vector<call_output> outputs;
  for (std::size_t k = 0; k < layout.outputs; ++k)
    outputs.emplace_back(outs.size() == 0 ? nb::handle(nb::none()) : nb::handle(outs[k]),
                         type_of(f.parameters[layout.inputs + k]), signature_text(f));
  std::vector<gs::shape> in_shapes, out_shapes;
  for (const call_argument& input : inputs) in_shapes.push_back(input.shape());
  if (outs.size() > 0)
    for (const call_output& output : outputs) out_shapes.push_back(output.shape());
  else
    for (const gs::detail::layout::dimension& d : layout.dimensions)
      if (!d.name.empty() && !d.in_an_input && d.fixed == 0)
        throw gs::error(signature_text(f), fmt::format("no input has the dimension {}", d.name),
                        "give the array as out=");
  const gs::detail::core_shapes shapes = gs::detail::match_core_shapes(layout, in_shapes, out_shapes);
  const bool on_device = any_device(inputs) || std::ranges::any_of(outputs, &call_output::is_device);
  const call_target request = target_of(target, stream);
  const gs::target chosen = request.of_call(on_device);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    outputs[k].make(gs::detail::operand_shape(layout, shapes, layout.inputs + k), on_device);
  {
    const nb::gil_scoped_release others_run;
    const gs::detail::executor run(chosen, request.stream);
    std::vector<operand> operands;
    for (call_argument& input : inputs) operands.push_back(input.place(run.on_device(), !run.on_one_core()));
    std::vector<void*> to;
    for (std::size_t k = 0; k < outputs.size(); ++k)  // the loop itself takes care of outputs that share memory
      to.push_back(outputs[k].begin(run, gs::detail::operand_shape(layout, shapes, layout.inputs + k), {}, {}));
    f.generalised(run, to.data(), shapes.loop, std::span(shapes.extents).first(layout.dimension_count),
                  operands.data());
    for (call_output& output : outputs) output.end(run);
  }
  if (outputs.size() == 1) return outputs[0].result();
  nb::list results;
  for (const call_output& output : outputs) results.append(output.result());
  return nb::tuple(results);
}

// --- launches --------------------------------------------------------------------------------------------------------

gs::extent3 extent_of(nb::handle object, const std::string& asked) {
  const auto number = [&](nb::handle n) {
    if (!nb::hasattr(n, "__index__"))
      throw gs::error(asked, nb::cast<std::string>(nb::repr(n)) + " is no integer",
                      "give integers: kernel[64, 256], or kernel[(8, 8), (16, 16)]");
    return nb::cast<std::int64_t>(n.attr("__index__")());
  };
  if (!nb::isinstance<nb::sequence>(object)) return gs::extent3(number(object));
  const std::size_t count = nb::len(object);
  if (count < 1 || count > 3) throw gs::error(asked, fmt::format("{} extents were given", count), "give one to three");
  gs::extent3 extent;
  extent.x = number(object[0]);
  if (count > 1) extent.y = number(object[1]);
  if (count > 2) extent.z = number(object[2]);
  return extent;
}

// An argument of a launch, and what holds its bytes meanwhile.
struct launch_argument {
  argument passed;
  std::shared_ptr<any_array> array;
  std::vector<std::byte> bytes;
};

launch_argument read_view(const parameter& p, nb::handle object, const std::string& asked) {
  const python_array* array = nullptr;
  if (!nb::try_cast(object, array) || !array) {
    if (lends_memory(object))
      throw gs::error(asked, "it is a host array, and those never reach a kernel",
                      "copy it with gridstride.to_device, and pass the result");
    throw gs::error(asked, "it is of type " + nb::cast<std::string>(nb::type_name(object.type())),
                    "give a device array");
  }
  const any_array& a = *array->array;
  if (!(a.type() == type_of(p)))
    throw gs::error(asked,
                    "the device array holds " + to_string(a.type()) + " and the kernel takes " + std::string(p.type),
                    "give an array of that type");
  const auto& memory = a.memory();
  gs::detail::check_rank(a.shape(), p.rank);
  if (!p.is_constant) memory->note_write();
  return {.passed = {.data = a.data(), .extents = a.shape()}, .array = array->array, .bytes = {}};
}

launch_argument read_value(const parameter& p, nb::handle object, const std::string& asked) {
  launch_argument read{
      .passed = {}, .array = nullptr, .bytes = std::vector<std::byte>(std::max<std::size_t>(p.bytes, 16))};
  const element_type type = type_of(p);
  if (p.kind == parameter_kind::number && is_python_number(object)) {
    write_number(object, type, read.bytes.data(), asked);
    return read;
  }
  if (nb::isinstance<python_array>(object))
    throw gs::error(asked, "a device array was given where the kernel takes " + std::string(p.type), "give a value");
  const host_buffer host(object, asked);
  const std::size_t bytes = host.shape().size() * host.type().bytes;
  if (!(host.type() == (p.kind == parameter_kind::constants ? type_of_name(p.type, host.type().bytes) : type)) ||
      bytes != p.bytes)
    throw gs::error(asked, fmt::format("{} bytes of {} were given", bytes, to_string(host.type())),
                    fmt::format("the kernel takes {} bytes of {}", p.bytes, p.type));
  std::shared_ptr<const void> packed;
  std::memcpy(read.bytes.data(), host.read(packed, false), bytes);
  return read;
}

std::vector<launch_argument> read_arguments(const function& f, const nb::tuple& arguments) {
  check_count(f, arguments.size(), f.parameters.size());
  std::vector<launch_argument> read;
  for (std::size_t k = 0; k < f.parameters.size(); ++k) {
    const parameter& p = f.parameters[k];
    const std::string asked = argument_text(f, k);
    read.push_back(p.kind == parameter_kind::view ? read_view(p, arguments[k], asked)
                                                  : read_value(p, arguments[k], asked));
  }
  return read;
}

void launch(const function& f, nb::handle grid, nb::handle block, gs::stream* stream, std::size_t shared_bytes,
            bool cooperative, const nb::tuple& arguments) {
  std::vector<launch_argument> read = read_arguments(f, arguments);
  gs::launch_options options{.grid = extent_of(grid, std::string(f.name) + "[grid, block]"),
                             .block = {},
                             .shared_bytes = shared_bytes,
                             .cooperative = cooperative};
  if (!block.is_none()) options.block = extent_of(block, std::string(f.name) + "[grid, block]");
  if (stream) options.stream = *stream;
  std::vector<argument> passed;
  for (launch_argument& a : read) {
    if (!a.array) a.passed.data = a.bytes.data();
    passed.push_back(a.passed);
  }
  const nb::gil_scoped_release others_run;
  f.launch(options, passed.data());
}

// What a launch would pass, for a program that runs it elsewhere: for each argument its shape and its bytes, or None
// and the bytes of a value.
nb::list launch_data(const function& f, const nb::tuple& arguments) {
  std::vector<launch_argument> read = read_arguments(f, arguments);
  nb::list data;
  for (const launch_argument& a : read) {
    if (!a.array) {
      data.append(nb::make_tuple(nb::none(), nb::bytes(a.bytes.data(), a.bytes.size())));
      continue;
    }
    nb::object bytes = empty_numpy(numpy_type({element_kind::uint8, 1}), nb::int_(a.array->bytes()));
    const host_buffer host(bytes, "the arguments of a launch");
    void* const to = host.write("the arguments of a launch");
    wait_for_device();
    gs::detail::copy_device_to_host(to, a.array->memory().get(), a.array->data(), a.array->bytes());
    data.append(nb::make_tuple(to_tuple(a.array->shape()), bytes));
  }
  return data;
}

}  // namespace

void declare_calls(nb::module_& m) {
  m.def("call", &call, "function"_a, "arguments"_a, "out"_a.none(), "target"_a.none(), "stream"_a.none());
  m.def("outer", &outer, "function"_a, "a"_a, "b"_a, "out"_a.none(), "target"_a.none(), "stream"_a.none());
  m.def("reduce", &reduce, "function"_a, "array"_a, "axis"_a.none(), "initial"_a.none(), "out"_a.none(),
        "target"_a.none(), "stream"_a.none());
  m.def("accumulate", &accumulate, "function"_a, "array"_a, "axis"_a, "out"_a.none(), "target"_a.none(),
        "stream"_a.none());
  m.def("generalised", &generalised, "function"_a, "arguments"_a, "outs"_a, "target"_a.none(), "stream"_a.none());
  m.def("launch", &launch, "function"_a, "grid"_a, "block"_a.none(), "stream"_a.none(), "shared_bytes"_a,
        "cooperative"_a, "arguments"_a);
  m.def("launch_data", &launch_data, "function"_a, "arguments"_a);
}

}  // namespace gridstride_python
