#pragma once
// initcheck: reads of device or shared memory that nothing has written.

#include "runtime/instruments/results/finding_description.h"

namespace gs::inline GS_FLAVOUR::detail {
extern const instrument_description initcheck_description;
}

#if GRIDSTRIDE_CHECKED

#include <cstddef>
#include <cstdint>

#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

class initcheck final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::initcheck); }
  bool depends_on_order() const override { return true; }

  void access(const observed_access& /*a*/) override { reported_ = false; }
  void access_cell(const observed_access& a, shadow& /*cells*/, cell& c, std::size_t offset) override {
    if (!a.reads || reported_ || is_written(c, offset, a) || may_be_padding(a, offset)) return;
    observed_.report(finding_kind::uninitialized_read, a.kind, a.by.where, a.address, a.note, a.owner);
    reported_ = observed_.time.in_launch();  // of a range that a library reads, each element counts
  }
  /// From `address` on; a part of it may never have been written.
  void copied_to_host(std::uintptr_t address, std::size_t bytes, std::size_t element_bytes,
                      const std::source_location& where) override;

 private:
  bool is_written(const cell& c, std::size_t offset, const observed_access& a) const;
  bool may_be_padding(const observed_access& a, std::size_t offset) const;

  bool reported_ = false;  // the present access
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
