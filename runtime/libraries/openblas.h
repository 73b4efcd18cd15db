#pragma once
// OpenBLAS, loaded at run time.

#include <cblas.h>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The functions of OpenBLAS that are used here.
struct openblas_functions {
  decltype(&cblas_sgemm) sgemm = nullptr;
  decltype(&cblas_dgemm) dgemm = nullptr;
  decltype(&cblas_sdot) sdot = nullptr;
  decltype(&cblas_ddot) ddot = nullptr;
  decltype(&openblas_set_num_threads) set_num_threads = nullptr;
  decltype(&openblas_get_corename) core_name = nullptr;
};

/// Throws gs::machine_error if OpenBLAS can't be loaded.
const openblas_functions& openblas();

}  // namespace gs::inline GS_FLAVOUR::detail
