#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "python/core/device_array.h"
#include "python/core/host_buffer.h"
#include "python/core/libraries.h"
#include "python/core/python_names.h"
#include "runtime/core/error.h"
#include "runtime/random/random_array.h"

namespace gridstride_python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

template <class T>
python_array made_of(gs::device_array<T> array) {
  return as_python_array(std::make_unique<typed_array<T>>(std::move(array)));
}

python_array real_numbers(nb::handle shape, std::uint64_t seed, nb::handle dtype, bool are_normal) {
  const std::string asked = are_normal ? "normal" : "uniform";
  const gs::shape extents = shape_of_object(shape, asked);
  switch (type_of_numpy(dtype, asked).kind) {
    case element_kind::float32:
      return made_of(are_normal ? gs::normal<float>(extents, seed) : gs::uniform<float>(extents, seed));
    case element_kind::float64:
      return made_of(are_normal ? gs::normal<double>(extents, seed) : gs::uniform<double>(extents, seed));
    default:
      throw gs::error(asked, "the type is " + nb::cast<std::string>(nb::str(dtype)), "use float32 or float64");
  }
}

python_array integers(nb::handle shape, std::int64_t low, std::int64_t high, std::uint64_t seed, nb::handle dtype) {
  const gs::shape extents = shape_of_object(shape, "integers");
  return with_type(type_of_numpy(dtype, "integers").kind, [&]<class T>(std::type_identity<T>) -> python_array {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (!std::in_range<T>(low) || !std::in_range<T>(high))
        throw gs::error("integers", "a bound is outside of its type", "use bounds that the type holds");
      return made_of(gs::integers<T>(extents, static_cast<T>(low), static_cast<T>(high), seed));
    } else {
      throw gs::error("integers", "the type is " + nb::cast<std::string>(nb::str(dtype)), "use a type of integers");
    }
  });
}

python_array random_states(nb::handle shape, std::uint64_t seed, std::uint64_t subsequence_start, bool strict) {
  const gs::shape extents = shape_of_object(shape, "random_states");
  nb::list fields;
  fields.append(nb::make_tuple("s0", "u8"));
  fields.append(nb::make_tuple("s1", "u8"));
  nb::object dtype = python_name("numpy", "dtype")(fields);
  std::vector<gs::random_state> states(extents.size());
  gs::fill_random_states(states, seed, subsequence_start, strict ? gs::random_mode::strict : gs::random_mode::numba);
  python_array result{make_array({element_kind::record, sizeof(gs::random_state)}, extents), std::move(dtype)};
  gs::detail::copy_host_to_device(result.array->data(), nullptr, states.data(), result.array->bytes());
  return result;
}

}  // namespace

void declare_random(nb::module_& m) {
  m.def("_real_numbers", &real_numbers, "shape"_a, "seed"_a, "dtype"_a, "are_normal"_a);
  m.def("_integers", &integers, "shape"_a, "low"_a, "high"_a, "seed"_a, "dtype"_a);
  m.def("random_states", &random_states, "shape"_a, "seed"_a, "subsequence_start"_a = 0, "strict"_a = false,
        "States for a kernel's gs::view<gs::random_state>: numba.cuda.random's create_xoroshiro128p_states.");
}

}  // namespace gridstride_python
