// The ledger counts each event exactly, in scopes, from all threads, and prints the counts in one line.

#include "runtime/core/ledger.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "runtime/core/error.h"

namespace {

TEST(ledger, scopes_nest_and_count_for_themselves) {
  gs::ledger_scope outer;
  gs::ledger_entry::copy_to_device(100);
  gs::ledger_scope inner;
  gs::ledger_entry::copy_to_device(11);
  gs::ledger_entry::copy_to_host(7);
  gs::ledger_entry::copy_within_device(5);
  gs::ledger_entry::allocation(64);
  gs::ledger_entry::launch();
  gs::ledger_entry::synchronization();
  gs::ledger_entry::loan(9);
  const gs::ledger expected{.copies_to_device = 1,
                            .bytes_to_device = 11,
                            .copies_to_host = 1,
                            .bytes_to_host = 7,
                            .copies_within_device = 1,
                            .bytes_within_device = 5,
                            .launches = 1,
                            .allocations = 1,
                            .allocated_bytes = 64,
                            .synchronizations = 1,
                            .loans = 1,
                            .lent_bytes = 9};
  EXPECT_EQ(inner.account(), expected);
  EXPECT_EQ(outer.account().copies_to_device, 2u);
  EXPECT_EQ(outer.account().bytes_to_device, 111u);
}

TEST(ledger, counts_from_all_threads) {
  gs::ledger_scope scope;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 1000; ++i) gs::ledger_entry::copy_to_host(3);
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(scope.account().copies_to_host, 8000u);
  EXPECT_EQ(scope.account().bytes_to_host, 24000u);
}

TEST(ledger, says_it_in_one_line) {
  EXPECT_EQ(to_string(gs::ledger{}), "nothing happened");
  EXPECT_EQ(to_string(gs::ledger{.copies_to_device = 2, .bytes_to_device = 8'000'000, .launches = 1}),
            "2 copies to the device (8.0 MB), 1 launch");
  EXPECT_EQ(to_string(gs::ledger{.copies_to_host = 1, .bytes_to_host = 999, .synchronizations = 3}),
            "1 copy to the host (999 B), 3 synchronizations");
  EXPECT_EQ(to_string(gs::ledger{.allocations = 1, .allocated_bytes = 2'500'000'000}), "1 allocation (2.50 GB)");
  EXPECT_EQ(to_string(gs::ledger{.loans = 2, .lent_bytes = 8000}), "2 loans (8.0 kB)");
}

TEST(error, is_one_sentence_of_three_parts) {
  const gs::machine_error failure("asked", "found", "advice");
  EXPECT_STREQ(failure.what(), "asked: found; advice");
  EXPECT_EQ(failure.asked(), "asked");
  EXPECT_EQ(failure.found(), "found");
  EXPECT_EQ(failure.advice(), "advice");
}

}  // namespace
