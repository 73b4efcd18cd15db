#pragma once
// leakcheck: device arrays that are still there at the end.

#include "runtime/instruments/results/finding_description.h"

namespace gs::inline GS_FLAVOUR::detail {
extern const instrument_description leakcheck_description;
}

#if GRIDSTRIDE_CHECKED

#include <cstddef>

#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

class leakcheck final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::leakcheck); }

  void begin_inspection() override { arrays_before_ = observed_.arena.allocations().size(); }
  void end_inspection() override;

 private:
  std::size_t arrays_before_ = 0;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
