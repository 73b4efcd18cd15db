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
  decltype(&cblas_saxpy) saxpy = nullptr;
  decltype(&cblas_daxpy) daxpy = nullptr;
  decltype(&cblas_sscal) sscal = nullptr;
  decltype(&cblas_dscal) dscal = nullptr;
  decltype(&cblas_snrm2) snrm2 = nullptr;
  decltype(&cblas_dnrm2) dnrm2 = nullptr;
  decltype(&cblas_sasum) sasum = nullptr;
  decltype(&cblas_dasum) dasum = nullptr;
  decltype(&cblas_scopy) scopy = nullptr;
  decltype(&cblas_dcopy) dcopy = nullptr;
  decltype(&cblas_sswap) sswap = nullptr;
  decltype(&cblas_dswap) dswap = nullptr;
  decltype(&cblas_sgemv) sgemv = nullptr;
  decltype(&cblas_dgemv) dgemv = nullptr;
  decltype(&cblas_sger) sger = nullptr;
  decltype(&cblas_dger) dger = nullptr;
  decltype(&cblas_isamax) isamax = nullptr;
  decltype(&cblas_idamax) idamax = nullptr;
  decltype(&openblas_set_num_threads) set_num_threads = nullptr;
  decltype(&openblas_get_corename) core_name = nullptr;
};

/// Throws gs::machine_error if OpenBLAS can't be loaded.
const openblas_functions& openblas();

}  // namespace gs::inline GS_FLAVOUR::detail
