#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "python/core/device_array.h"
#include "python/core/dlpack.h"
#include "python/core/exchange.h"
#include "python/core/lent_memory.h"
#include "python/core/waiting.h"
#include "runtime/array/host_layout.h"
#include "runtime/array/pack.h"
#include "runtime/core/error.h"

namespace gridstride_python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

constexpr const char *plain_name = "dltensor", *versioned_name = "dltensor_versioned";

// --- types -----------------------------------------------------------------------------------------------------------

dlpack::data_type type_to_dlpack(const element_type& type, const std::string& asked) {
  using enum dlpack::type_code;
  const auto bits = static_cast<std::uint8_t>(8 * type.bytes);
  switch (type.kind) {
    case element_kind::boolean:
      return {boolean, 8, 1};
    case element_kind::float32:
    case element_kind::float64:
      return {real, bits, 1};
    case element_kind::complex64:
    case element_kind::complex128:
      return {complex, bits, 1};
    case element_kind::record:
      throw gs::error(asked, "DLPack has no records, and the array holds " + to_string(type), "copy it to the host");
    default:
      return {type.kind >= element_kind::uint8 ? unsigned_integer : integer, bits, 1};
  }
}

element_type type_of_dlpack(const dlpack::data_type& type, const std::string& asked) {
  for (const char* name : {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
                           "float64", "complex64", "complex128"}) {
    const element_type known = type_of_name(name, 0);
    const dlpack::data_type coded = type_to_dlpack(known, asked);
    if (coded.code == type.code && coded.bits == type.bits && type.lanes == 1) return known;
  }
  throw gs::error(asked, fmt::format("its type has the code {} and {} bits", static_cast<int>(type.code), type.bits),
                  "convert it to one of bool, int8 to int64, uint8 to uint64, float32, float64, complex64, complex128");
}

// --- lending ---------------------------------------------------------------------------------------------------------

// What a tensor points to, as long as somebody holds it.
template <class Managed>
struct lent_tensor {
  Managed managed{};
  std::shared_ptr<any_array> array;
  std::vector<std::int64_t> extents, strides;

  static void release(Managed* managed) { delete static_cast<lent_tensor*>(managed->manager_ctx); }
};

// A capsule that nobody took gives its tensor back.
template <class Managed>
void release_capsule(PyObject* capsule) {
  const char* const name = std::is_same_v<Managed, dlpack::managed_tensor> ? plain_name : versioned_name;
  if (!PyCapsule_IsValid(capsule, name)) return;
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

template <class Managed>
nb::object capsule_of(std::shared_ptr<any_array> array, bool is_copied) {
  const dlpack::data_type type = type_to_dlpack(array->type(), "__dlpack__");
  auto lent = std::make_unique<lent_tensor<Managed>>();
  const gs::shape& extents = array->shape();
  lent->extents.assign(extents.begin(), extents.end());
  lent->strides.assign(extents.rank(), 1);
  for (std::size_t d = extents.rank(); d-- > 1;)
    lent->strides[d - 1] = lent->strides[d] * static_cast<std::int64_t>(extents[d]);
  lent->array = lend(std::move(array));
  lent->managed.dl_tensor = {.data = lent->array->data(),
                             .device = {},
                             .ndim = static_cast<std::int32_t>(lent->extents.size()),
                             .dtype = type,
                             .shape = lent->extents.data(),
                             .strides = lent->strides.data()};
  if constexpr (std::is_same_v<Managed, dlpack::managed_tensor_versioned>) {
    lent->managed.version = {};
    lent->managed.flags = is_copied ? dlpack::flag_is_copied : 0;
  }
  lent->managed.manager_ctx = lent.get();
  lent->managed.deleter = &lent_tensor<Managed>::release;
  const char* const name = std::is_same_v<Managed, dlpack::managed_tensor> ? plain_name : versioned_name;
  PyObject* const capsule = PyCapsule_New(&lent->managed, name, &release_capsule<Managed>);
  if (!capsule) nb::raise_python_error();
  lent.release();
  return nb::steal(capsule);
}

void check_lending(const python_array& a, nb::handle stream, nb::handle device) {
  if (a.array->device() != gs::device_kind::engine)
    throw gs::error("__dlpack__", "the array is on a GPU", "copy it to the host first");
  if (!stream.is_none())
    throw gs::error("__dlpack__", "a stream was given, and memory of the CPU has none", "leave it out");
  if (!device.is_none() && nb::cast<int>(device[0]) != dlpack::cpu_device)
    throw gs::error("__dlpack__", "another device was asked for", "take it as memory of the CPU: (1, 0)");
}

nb::object dlpack_capsule(const python_array& a, nb::handle stream, nb::handle max_version, nb::handle device,
                          nb::handle copy) {
  check_lending(a, stream, device);
  type_to_dlpack(a.array->type(), "__dlpack__");
  wait_for_device();
  const bool is_copied = !copy.is_none() && nb::cast<bool>(copy);
  // An array of its own for the borrower: the view's memory lives until the borrower gives it back.
  std::shared_ptr<any_array> array = is_copied ? a.array->copy() : a.array->reshape(a.array->shape());
  const bool knows_versions = !max_version.is_none() && nb::cast<int>(max_version[0]) >= 1;
  return knows_versions ? capsule_of<dlpack::managed_tensor_versioned>(std::move(array), is_copied)
                        : capsule_of<dlpack::managed_tensor>(std::move(array), is_copied);
}

// --- borrowing -------------------------------------------------------------------------------------------------------

// A tensor taken out of its capsule, given back at the end.
class taken_tensor {
 public:
  explicit taken_tensor(nb::handle capsule) {
    if (PyCapsule_IsValid(capsule.ptr(), versioned_name)) {
      auto* const managed =
          static_cast<dlpack::managed_tensor_versioned*>(PyCapsule_GetPointer(capsule.ptr(), versioned_name));
      if (managed->version.major != 1)
        throw gs::error("from_dlpack", fmt::format("the tensor is of DLPack's version {}", managed->version.major),
                        "update one of the two libraries; version 1 is known here");
      PyCapsule_SetName(capsule.ptr(), "used_dltensor_versioned");
      tensor_ = &managed->dl_tensor;
      give_back_ = [managed] {
        if (managed->deleter) managed->deleter(managed);
      };
    } else if (PyCapsule_IsValid(capsule.ptr(), plain_name)) {
      auto* const managed = static_cast<dlpack::managed_tensor*>(PyCapsule_GetPointer(capsule.ptr(), plain_name));
      PyCapsule_SetName(capsule.ptr(), "used_dltensor");
      tensor_ = &managed->dl_tensor;
      give_back_ = [managed] {
        if (managed->deleter) managed->deleter(managed);
      };
    } else {
      throw gs::error("from_dlpack", "its __dlpack__ returned no tensor, or one that was taken before", "call it anew");
    }
  }
  ~taken_tensor() { give_back_(); }
  taken_tensor(const taken_tensor&) = delete;
  taken_tensor& operator=(const taken_tensor&) = delete;

  const dlpack::tensor& get() const { return *tensor_; }

 private:
  const dlpack::tensor* tensor_ = nullptr;
  std::function<void()> give_back_;
};

nb::object ask_for_capsule(nb::handle object) {
  try {
    return object.attr("__dlpack__")("max_version"_a = nb::make_tuple(1, 0));
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_TypeError)) throw;
  }
  return object.attr("__dlpack__")();  // a library from before version 1.0
}

gs::detail::host_layout layout_of(const dlpack::tensor& t) {
  gs::detail::host_layout layout;
  for (std::int32_t d = 0; d < t.ndim; ++d) layout.extents.push_back(static_cast<std::size_t>(t.shape[d]));
  std::ptrdiff_t step = 1;
  for (std::size_t d = layout.extents.rank(); d-- > 0;) {
    layout.strides[d] = t.strides ? static_cast<std::ptrdiff_t>(t.strides[d]) : step;
    step *= static_cast<std::ptrdiff_t>(layout.extents[d]);
  }
  return layout;
}

python_array from_dlpack(nb::handle object, nb::handle copy) {
  if (nb::isinstance<python_array>(object) && (copy.is_none() || !nb::cast<bool>(copy)))
    return nb::cast<python_array>(object);
  if (!nb::hasattr(object, "__dlpack__"))
    throw gs::error("from_dlpack",
                    "an object of type " + nb::cast<std::string>(nb::type_name(object.type())) + " has no __dlpack__",
                    "give an array of a library that knows DLPack");
  const int device = nb::cast<int>(object.attr("__dlpack_device__")()[0]);
  if (device != dlpack::cpu_device)
    throw gs::error("from_dlpack", fmt::format("the array is on a device of DLPack's type {}", device),
                    "bring it to the CPU first: this device has memory of its own");
  const nb::object capsule = ask_for_capsule(object);
  const taken_tensor taken(capsule);
  const dlpack::tensor& t = taken.get();
  const element_type type = type_of_dlpack(t.dtype, "from_dlpack");
  const gs::detail::host_layout layout = layout_of(t);
  const std::size_t bytes = layout.extents.size() * type.bytes;
  const void* const data = static_cast<const std::byte*>(t.data) + t.byte_offset;
  const std::vector<std::size_t> extents(layout.extents.begin(), layout.extents.end());
  const bool row_major = gs::detail::is_row_major(extents, std::span(layout.strides).first(extents.size()));
  const bool must_copy = !copy.is_none() && nb::cast<bool>(copy);
  if (row_major && !must_copy)
    if (const auto ours = find_lent(data, bytes); ours && ours->type() == type)
      return as_python_array(ours->reshape(layout.extents));
  if (!copy.is_none() && !must_copy)
    throw gs::error("from_dlpack without a copy", "the array isn't in the device's memory",
                    "allow a copy, or call a ufunc with the array itself, which borrows it");
  python_array result = as_python_array(make_array(type, layout.extents));
  std::shared_ptr<const void> packed;
  if (!row_major) packed = gs::detail::pack(data, layout, type.bytes, true);
  const nb::gil_scoped_release others_run;
  gs::detail::copy_host_to_device(result.array->data(), nullptr, row_major ? data : packed.get(), bytes);
  return result;
}

nb::object cuda_array_interface(const python_array& a) {
  if (a.array->device() != gs::device_kind::cuda)
    throw nb::attribute_error("__cuda_array_interface__: the array isn't on a GPU");
  wait_for_device();
  nb::dict described;
  described["version"] = 3;
  described["shape"] = to_tuple(a.array->shape());
  described["typestr"] = a.dtype.attr("str");
  described["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(a.array->data()), false);
  described["strides"] = nb::none();
  described["stream"] = nb::none();
  return described;
}

}  // namespace

void declare_dlpack(nb::module_& m) {
  nb::object type = m.attr("DeviceArray");
  nb::class_<python_array>& array = reinterpret_cast<nb::class_<python_array>&>(type);
  array
      .def("__dlpack__", &dlpack_capsule, nb::kw_only(), "stream"_a.none() = nb::none(),
           "max_version"_a.none() = nb::none(), "dl_device"_a.none() = nb::none(), "copy"_a.none() = nb::none(),
           "Lends the memory after waiting for what is queued. What is queued later is not waited for.")
      .def("__dlpack_device__", [](const python_array&) { return nb::make_tuple(dlpack::cpu_device, 0); })
      .def_prop_ro("__cuda_array_interface__", &cuda_array_interface);
  m.def("from_dlpack", &from_dlpack, "array"_a, nb::kw_only(), "copy"_a.none() = nb::none(),
        "An array on the device from another library's on the CPU: a counted copy, unless that is memory of the device "
        "that was lent, which is shared again. copy=False refuses to copy.");
  m.def("_lent_now", &lent_now, "How many arrays are lent to other libraries at this moment.");
}

}  // namespace gridstride_python
