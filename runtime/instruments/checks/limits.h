#pragma once
// limits: launches that would fail on a GPU of the chosen model, also because of what a thread keeps on its stack.

#include "runtime/instruments/results/finding_description.h"

namespace gs::inline GS_FLAVOUR::detail {
extern const instrument_description limits_description;
}

#if GRIDSTRIDE_CHECKED

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

class limits final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::limits); }

  void begin_inspection() override;
  void begin_launch(const launch_description& launch) override;
  void begin_run() override;
  void set_block_aside() override { has_bases_ = false; }

  // The depth of the stack.
  void begin_thread(unsigned /*number*/) override { block_base_ = 0; }
  void enter_thread(unsigned number) override;
  void enter_all_threads(unsigned threads) override;
  void leave_thread() override {
    if (block_base_ != 0) report_depth_of_block();
  }
  void thread_has_failed() override { leave_thread(); }
  void note_side_by_side(std::uintptr_t data, std::size_t bytes, unsigned threads) override;
  void before_index(const indexing& i, std::uintptr_t frame) override {
    if (is_too_deep(frame)) note_depth(observed_.sites.number_of(i.where), frame);
  }
  void before_plain_access(std::uintptr_t frame, const void* code) override {
    if (is_too_deep(frame)) note_depth(observed_.site_of(nullptr, code), frame);
  }

 private:
  // In block style the threads share a stack, and the values that they keep lie there side by side.
  struct side_by_side_values {
    std::uintptr_t begin;
    std::size_t bytes, of_others;  // than one thread
  };
  bool is_too_deep(std::uintptr_t frame) const { return frame < deepest_ && observed_.in_thread; }
  void note_depth(site where, std::uintptr_t frame);
  void report_depth_of_block();
  void report_depth(site where, std::uintptr_t base, std::size_t used);

  std::size_t local_bytes_ = 0;                        // that a thread has on the GPU of the model
  bool has_bases_ = false;                             // observation::bases says where the threads' stacks begin
  std::uintptr_t deepest_ = 0;                         // where what the running thread has ends; 0: not known
  std::uintptr_t block_base_ = 0, block_deepest_ = 0;  // where a block's stack begins, and the deepest frame; 0: none
  site deepest_site_ = unknown_site;
  bool block_is_deep_ = false;
  std::vector<side_by_side_values> side_by_side_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
