// Columns of primitive types by Arrow's PyCapsule interface. The structures are those of the C data interface:
// https://arrow.apache.org/docs/format/CDataInterface.html

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/core/device_array.h"
#include "python/core/exchange.h"
#include "python/core/host_buffer.h"
#include "python/core/lent_memory.h"
#include "python/core/python_names.h"
#include "python/core/waiting.h"
#include "runtime/core/error.h"

namespace gridstride_python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

struct arrow_schema {
  const char *format = nullptr, *name = nullptr, *metadata = nullptr;
  std::int64_t flags = 0, n_children = 0;
  arrow_schema **children = nullptr, *dictionary = nullptr;
  void (*release)(arrow_schema*) = nullptr;
  void* private_data = nullptr;
};
struct arrow_array {
  std::int64_t length = 0, null_count = 0, offset = 0, n_buffers = 0, n_children = 0;
  const void** buffers = nullptr;
  arrow_array **children = nullptr, *dictionary = nullptr;
  void (*release)(arrow_array*) = nullptr;
  void* private_data = nullptr;
};
constexpr std::int64_t nullable = 2;
constexpr const char *schema_name = "arrow_schema", *array_name = "arrow_array";

struct known_format {
  const char *format, *type;
};
constexpr std::array formats{known_format{"c", "int8"},    known_format{"s", "int16"},  known_format{"i", "int32"},
                             known_format{"l", "int64"},   known_format{"C", "uint8"},  known_format{"S", "uint16"},
                             known_format{"I", "uint32"},  known_format{"L", "uint64"}, known_format{"f", "float32"},
                             known_format{"g", "float64"}, known_format{"b", "bool"}};

// --- out -------------------------------------------------------------------------------------------------------------

// What an exported column points to.
struct exported_column {
  std::shared_ptr<any_array> lent;
  std::unique_ptr<host_buffer> borrowed;
  std::vector<std::uint8_t> validity, bits;  // packed: Arrow has eight bools in a byte
  std::array<const void*, 2> buffers{};
};

void release_array(arrow_array* array) {
  const nb::gil_scoped_acquire python;  // the column may hold an object of Python
  delete static_cast<exported_column*>(array->private_data);
  array->release = nullptr;
}
void release_schema(arrow_schema* schema) { schema->release = nullptr; }

template <class T>
nb::object arrow_capsule(std::unique_ptr<T> exported, const char* name) {
  PyObject* const capsule = PyCapsule_New(exported.get(), name, [](PyObject* c) {
    T* const held = static_cast<T*>(PyCapsule_GetPointer(c, PyCapsule_GetName(c)));
    if (held->release) held->release(held);
    delete held;
  });
  if (!capsule) nb::raise_python_error();
  exported.release();
  return nb::steal(capsule);
}

// Bools of a byte each as bits, the lowest first; how many are 0. `bits` is never without memory.
std::int64_t pack_bits(const std::uint8_t* flags, std::size_t length, std::vector<std::uint8_t>& bits) {
  bits.assign(length / 8 + 1, 0);
  std::int64_t zeros = 0;
  for (std::size_t k = 0; k < length; ++k) {
    if (flags[k])
      bits[k / 8] = static_cast<std::uint8_t>(bits[k / 8] | 1u << k % 8);
    else
      ++zeros;
  }
  return zeros;
}

// From a NumPy array of bools; how many values are null.
std::int64_t pack_validity(nb::handle valid, std::size_t length, std::vector<std::uint8_t>& bits) {
  const host_buffer host(valid, "to_arrow, the validity");
  if (host.type().kind != element_kind::boolean || !(host.shape() == gs::shape(length)))
    throw gs::error(
        "to_arrow, the validity",
        fmt::format("it is an array of {} of shape {}", to_string(host.type()), gs::to_string(host.shape())),
        "give a bool for each element");
  std::shared_ptr<const void> packed;
  return pack_bits(static_cast<const std::uint8_t*>(host.read(packed, false)), length, bits);
}

// An array that can be a column: of the host, or else of the device.
struct column_source {
  std::unique_ptr<host_buffer> borrowed;
  const python_array* on_device = nullptr;
  const known_format* format = nullptr;
  std::size_t length = 0;
};

column_source read_source(nb::handle column) {
  column_source source;
  element_type type;
  gs::shape extents;
  if (nb::try_cast(column, source.on_device) && source.on_device) {
    if (source.on_device->array->device() != gs::device_kind::engine)
      throw gs::error("to_arrow", "the array is on a GPU", "copy it to the host first");
    type = source.on_device->array->type(), extents = source.on_device->array->shape();
  } else {
    source.borrowed = std::make_unique<host_buffer>(column, "to_arrow");
    type = source.borrowed->type(), extents = source.borrowed->shape();
    if (!source.borrowed->is_row_major())
      throw gs::error("to_arrow", "the array isn't contiguous", "copy it: numpy.ascontiguousarray");
  }
  for (const known_format& known : formats)
    if (to_string(type) == known.type) source.format = &known;
  if (!source.format || extents.rank() != 1)
    throw gs::error("to_arrow", fmt::format("an array of {} of shape {}", to_string(type), gs::to_string(extents)),
                    "give an array of one dimension, of bools, integers, float32 or float64");
  source.length = extents[0];
  return source;
}

// Refuses what export_column would refuse; nothing is lent.
void check_column(nb::handle column, nb::handle valid) {
  const column_source source = read_source(column);
  std::vector<std::uint8_t> validity;
  if (!valid.is_none()) pack_validity(valid, source.length, validity);
}

nb::tuple export_column(nb::handle column, nb::handle valid) {
  auto exported = std::make_unique<exported_column>();
  auto array = std::make_unique<arrow_array>();
  column_source source = read_source(column);
  std::shared_ptr<const void> packed;
  if (source.format->format == std::string_view("b")) {
    if (source.on_device) wait_for_device();
    const void* const flags = source.on_device ? source.on_device->array->data() : source.borrowed->read(packed, false);
    pack_bits(static_cast<const std::uint8_t*>(flags), source.length, exported->bits);
    exported->buffers[1] = exported->bits.data();
  } else if (source.on_device) {
    wait_for_device();
    exported->lent = lend(source.on_device->array->reshape(source.on_device->array->shape()));
    exported->buffers[1] = exported->lent->data();
  } else {
    exported->borrowed = std::move(source.borrowed);
    exported->buffers[1] = exported->borrowed->read(packed, false);
  }
  array->length = static_cast<std::int64_t>(source.length);
  if (!valid.is_none()) {
    array->null_count = pack_validity(valid, source.length, exported->validity);
    exported->buffers[0] = exported->validity.data();
  }
  array->n_buffers = 2;
  array->buffers = exported->buffers.data();
  array->private_data = exported.release();
  array->release = &release_array;
  auto schema = std::make_unique<arrow_schema>();
  schema->format = source.format->format;
  schema->name = "";
  schema->flags = valid.is_none() ? 0 : nullable;
  schema->release = &release_schema;
  return nb::make_tuple(arrow_capsule(std::move(schema), schema_name), arrow_capsule(std::move(array), array_name));
}

// --- in --------------------------------------------------------------------------------------------------------------

template <class T>
T& taken(nb::handle capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule.ptr(), name))
    throw gs::error("from_arrow", "its __arrow_c_array__ returned something else", "give a column of an Arrow library");
  return *static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
}

const char* type_of(const arrow_schema& schema) {
  const std::string_view format = schema.format ? schema.format : "";
  for (const known_format& known : formats)
    if (format == known.format && !schema.dictionary) return known.type;
  throw gs::error("from_arrow", fmt::format("the column's type is '{}'", format),
                  "give a column of bools, integers, float32 or float64");
}

// The bit of value k in a buffer of bits: of the validity, or of a column of bools.
bool bit_at(const arrow_array& array, std::size_t buffer, std::int64_t k) {
  const auto* const bits = static_cast<const std::uint8_t*>(array.buffers[buffer]);
  const std::int64_t at = array.offset + k;
  return bits[at / 8] >> at % 8 & 1;
}

std::int64_t count_nulls(const arrow_array& array) {
  if (!array.buffers[0]) return 0;
  std::int64_t nulls = 0;
  for (std::int64_t k = 0; k < array.length; ++k) nulls += bit_at(array, 0, k) ? 0 : 1;
  return nulls;
}

// A new NumPy array of bools: value_at(k) for each value of the column.
template <class F>
nb::object numpy_bools(const arrow_array& array, F value_at) {
  nb::object bools = empty_numpy(numpy_type({element_kind::boolean, 1}), nb::int_(array.length));
  const host_buffer flags(bools, "from_arrow");
  auto* const to = static_cast<std::uint8_t*>(flags.write("from_arrow"));
  for (std::int64_t k = 0; k < array.length; ++k) to[k] = value_at(k);
  return bools;
}

// The column as a read-only NumPy array that holds it, without a copy.
nb::object values_of(std::unique_ptr<arrow_array> array, const char* name) {
  const element_type type = type_of_name(name, 0);
  const auto length = static_cast<std::size_t>(array->length);
  const auto* const data =
      static_cast<const std::byte*>(array->buffers[1]) + static_cast<std::size_t>(array->offset) * type.bytes;
  const nb::capsule owner(array.get(), [](void* held) noexcept {
    auto* const column = static_cast<arrow_array*>(held);
    column->release(column);
    delete column;
  });
  array.release();
  const auto code = type.kind >= element_kind::float32 ? nb::dlpack::dtype_code::Float
                    : type.kind >= element_kind::uint8 ? nb::dlpack::dtype_code::UInt
                                                       : nb::dlpack::dtype_code::Int;
  return nb::cast(nb::ndarray<nb::numpy, nb::ro>(
      data, {length}, owner, {}, {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * type.bytes), 1}));
}

nb::object import_column(nb::handle column, const std::string& nulls) {
  if (nulls != "refuse" && nulls != "mask")
    throw gs::error("from_arrow", "nulls is '" + nulls + "'", "use 'refuse' or 'mask'");
  if (!nb::hasattr(column, "__arrow_c_array__"))
    throw gs::error(
        "from_arrow",
        "an object of type " + nb::cast<std::string>(nb::type_name(column.type())) + " has no __arrow_c_array__",
        "give a column of one piece: combine_chunks() of PyArrow makes one");
  const nb::tuple capsules(column.attr("__arrow_c_array__")());
  const char* const name = type_of(taken<arrow_schema>(capsules[0], schema_name));
  arrow_array& source = taken<arrow_array>(capsules[1], array_name);
  if (!source.release || source.n_buffers != 2)
    throw gs::error("from_arrow", "the column was taken before, or has other buffers than values and their validity",
                    "give a column of bools, integers, float32 or float64");
  const std::int64_t missing = count_nulls(source);
  if (missing > 0 && nulls == "refuse")
    throw gs::error("from_arrow", fmt::format("{} of {} values are null", missing, source.length),
                    "fill them first, or ask for the mask: nulls='mask'");
  nb::object valid = nb::none();
  if (nulls == "mask")
    valid = numpy_bools(source, [&](std::int64_t k) { return !source.buffers[0] || bit_at(source, 0, k); });
  nb::object values;
  if (name == std::string_view("bool")) {
    values = numpy_bools(source, [&](std::int64_t k) { return bit_at(source, 1, k); });
    source.release(&source);
  } else {
    auto moved = std::make_unique<arrow_array>(source);  // a structure is moved by its bytes, and then released there
    source.release = nullptr;
    values = values_of(std::move(moved), name);
  }
  return nulls == "mask" ? nb::object(nb::make_tuple(values, valid)) : values;
}

}  // namespace

void declare_arrow(nb::module_& m) {
  m.def("_check_column", &check_column, "column"_a, "valid"_a.none());
  m.def("_export_column", &export_column, "column"_a, "valid"_a.none());
  m.def("from_arrow", &import_column, "column"_a, nb::kw_only(), "nulls"_a = "refuse",
        "A column of an Arrow library as a read-only NumPy array, without a copy; bools, which Arrow packs, are "
        "copied. A "
        "column with nulls is refused; with nulls='mask' the result is the values and an array of bools, true where "
        "there is one.");
}

}  // namespace gridstride_python
