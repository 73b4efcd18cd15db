#pragma once
// observation: what is observed and by whom it is done, as all instruments know it; and how they write down what they
// find.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/instruments/observing/finding_log.h"
#include "runtime/instruments/observing/inspect_options.h"
#include "runtime/instruments/places/site_table.h"
#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include "runtime/instruments/memory/access_history.h"
#include "runtime/instruments/memory/device_arena.h"
#include "runtime/instruments/memory/device_variables.h"
#include "runtime/instruments/memory/host_memory.h"
#include "runtime/instruments/memory/index_notes.h"
#include "runtime/instruments/memory/timeline.h"

namespace gs::inline GS_FLAVOUR::instruments {

struct observation {
  static constexpr unsigned most_threads = 1024;  ///< of a block

  // For the whole program.
  device_arena arena;
  device_variables variables;
  site_table sites;
  error_account (*give_account)() = nullptr;  ///< of errors that the program hasn't looked at; null: there is none

  // Of the inspection.
  inspect_options options;
  timeline time;
  finding_log log;
  std::uint64_t accesses = 0;             ///< so far
  std::atomic<bool> interrupted = false;  ///< the thread that makes the next access is to end there
  access_history history{time};

  // Of what runs.
  run_order order;
  index_notes indices;
  site call = unknown_site;  ///< of a library, or a copy, whose accesses have no place of their own
  bool in_thread = false;    ///< it is a kernel's own code
  unsigned all_threads = 1;  ///< how many do it on a GPU
  std::uint64_t turns = 0;   ///< times that a thread has begun or gone on
  address_range range;       ///< that its accesses go through, piece by piece, as those of memcpy
  std::array<std::uintptr_t, most_threads> bases{};  ///< by thread: the frame of who has called the kernel

  bool wants(instrument i) const { return options.wants(i); }
  /// Whether what runs is counted: it runs for the first time.
  bool counts() const { return options.counters && order.as_numbered(); }
  /// Whether the array had been freed when the work that runs was queued.
  bool is_gone(const allocation& a) const { return a.freed && a.freed_at <= time.work().order.serial; }
  /// Where the thread that runs has reached the address: by its index, or else by the code.
  site site_of(const noted_index* note, const void* code) {
    return note ? note->where : code ? sites.number_of_code(code) : call;
  }

  // --- findings ---
  /// One of the thread that runs, for what all have in common.
  finding finding_here(finding_kind kind, access_kind access) const;
  finding_access who(const mark& m, access_kind kind) const;
  /// The thread of the block that runs, as it is now.
  finding_access thread_of_block(unsigned number) const;
  void locate(finding& f, std::uintptr_t address, const noted_index* note, const allocation* owner) const;
  /// Whether it has been found before: counts it once more. In another order of the threads, the other access may have
  /// come first.
  bool is_known(const finding_log::key& key);
  /// Writes down an access of the thread that runs, or counts it once more. The finding's number in the log, or
  /// finding_log::no_finding where its instrument isn't wanted.
  std::size_t report(finding_kind kind, access_kind access, site where, std::uintptr_t address, const noted_index* note,
                     const allocation* owner);
  /// The same for what a thread of the block does otherwise.
  void report_thread(finding_kind kind, unsigned thread, const std::source_location& where);
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
