// A generalised ufunc on a tape, which can't know its adjoint.
// expect: static assertion failed: .*tape: a gufunc has no adjoint: give one
#include "runtime/grad/tape.h"
#include "runtime/gs.h"

GS_FN void halve_row(gs::view<const float> x, gs::view<float> y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] / 2;
}
inline constexpr auto halves = gs::guvectorize<halve_row, "(n)->(n)">;

struct sum_of_halves {
  template <class Tape, class X>
  auto operator()(Tape& tape, const X& x) const {
#ifdef MENDED
    const auto adjoint = [](const auto& gradient, const auto&) { return std::tuple(halves(gradient)); };
    return tape.sum(tape.call(halves, adjoint, x));
#else
    return tape.sum(tape(halves, x));
#endif
  }
};

auto use(const gs::device_array<float>& x) { return gs::taped(sum_of_halves()).grad(x); }
