#pragma once
// unchecked_errors: errors that calls have returned and the program hasn't looked at, as compute-sanitizer's
// --report-api-errors tells them. Who returns errors keeps account of them (runtime/observe/observe.h). A part of
// memcheck.

#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include <string>
#include <utility>

#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"
#include "runtime/instruments/results/inspection.h"

namespace gs::inline GS_FLAVOUR::instruments {

class unchecked_errors final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::memcheck); }

  void begin_inspection() override { note_.clear(); }
  void end_inspection() override {
    if (!observed_.give_account) return;
    error_account account = observed_.give_account();
    note_ = std::move(account.note);
    for (unchecked_error& one : account.errors) {
      const site where = observed_.sites.number_of_place(one.where);
      const finding_log::key key{finding_kind::unchecked_error, one.error, where, unknown_site};
      finding f;
      f.kind = finding_kind::unchecked_error;
      f.access.where = std::move(one.where);
      f.access.kernel = std::move(one.call);
      f.access.has_threads = false;
      f.array = one.error;
      f.count = one.count;
      observed_.log.add(key, std::move(f));
    }
  }
  void add_to(inspection& result) override {
    if (!note_.empty()) result.notes.push_back(note_);
  }

 private:
  std::string note_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
