#pragma once
// The structures of DLPack 1.0, from its specification: https://dmlc.github.io/dlpack/latest/c_api.html

#include <cstddef>
#include <cstdint>

namespace gridstride_python::dlpack {

struct version {
  std::uint32_t major = 1, minor = 0;
};
struct device {
  std::int32_t type = 1;  ///< kDLCPU
  std::int32_t id = 0;
};
inline constexpr std::int32_t cpu_device = 1, cuda_device = 2;

enum class type_code : std::uint8_t { integer = 0, unsigned_integer = 1, real = 2, complex = 5, boolean = 6 };
struct data_type {
  type_code code = type_code::real;
  std::uint8_t bits = 32;
  std::uint16_t lanes = 1;
};

struct tensor {
  void* data = nullptr;
  dlpack::device device = {};
  std::int32_t ndim = 0;
  data_type dtype = {};
  std::int64_t* shape = nullptr;
  std::int64_t* strides = nullptr;  ///< in elements; null: row-major
  std::uint64_t byte_offset = 0;
};

/// Before version 1.0: in capsules called "dltensor".
struct managed_tensor {
  tensor dl_tensor;
  void* manager_ctx = nullptr;
  void (*deleter)(managed_tensor* self) = nullptr;
};

/// In capsules called "dltensor_versioned".
struct managed_tensor_versioned {
  dlpack::version version;
  void* manager_ctx = nullptr;
  void (*deleter)(managed_tensor_versioned* self) = nullptr;
  std::uint64_t flags = 0;
  tensor dl_tensor;
};
inline constexpr std::uint64_t flag_read_only = 1, flag_is_copied = 2;

}  // namespace gridstride_python::dlpack
