#pragma once
// OpenBLAS's functions by the type of their elements.

#include "runtime/libraries/openblas.h"

namespace dialect {

template <class T>
struct blas;

#define GS_DIALECT_BLAS(type, s, i)                                   \
  template <>                                                         \
  struct blas<type> {                                                 \
    const gs::detail::openblas_functions& f = gs::detail::openblas(); \
    auto axpy(auto... of) const { return f.s##axpy(of...); }          \
    auto scal(auto... of) const { return f.s##scal(of...); }          \
    auto copy(auto... of) const { return f.s##copy(of...); }          \
    auto swap(auto... of) const { return f.s##swap(of...); }          \
    auto dot(auto... of) const { return f.s##dot(of...); }            \
    auto nrm2(auto... of) const { return f.s##nrm2(of...); }          \
    auto asum(auto... of) const { return f.s##asum(of...); }          \
    auto iamax(auto... of) const { return f.i(of...); }               \
    auto gemv(auto... of) const { return f.s##gemv(of...); }          \
    auto ger(auto... of) const { return f.s##ger(of...); }            \
  };
GS_DIALECT_BLAS(float, s, isamax)
GS_DIALECT_BLAS(double, d, idamax)
#undef GS_DIALECT_BLAS

}  // namespace dialect
