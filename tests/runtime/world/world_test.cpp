// gs::world() under both MPIs, with more ranks than cores, against plain loops (ranks.cpp); its errors; and without
// MPI.

#include "runtime/world/world.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "launched.h"
#include "runtime/core/error.h"
#include "runtime/host/core_share.h"
#include "runtime/host/own_gpu.h"
#include "runtime/world/launcher.h"
#include "runtime/world/transport.h"
#include "runtime/world/wait_graph.h"
#include "runtime/world/window.h"
#include "tests/another_user.h"
#include "tests/temporary_folder.h"

namespace world_test {

std::string command(const mpi& m, int ranks, const std::string& scenario, const std::string& before = "") {
  return launch(m, ranks, WORLD_RANKS " " + scenario, before);
}

class ranks : public testing::TestWithParam<mpi> {
 protected:
  void SetUp() override {
    if (GetParam().mpirun.empty()) GTEST_SKIP() << "this machine has no mpirun." << GetParam().name;
  }
};

// Errors are gs::error's, so the program's exit status is 1; MPICH's mpirun gives back its own. Where several ranks
// fail, the first ends the others: one of the texts is enough.
void expect_error(const mpi& m, int ranks, const std::string& scenario, const std::vector<std::string>& texts) {
  const ended e = run(command(m, ranks, scenario));
  EXPECT_NE(e.status, 0) << scenario;
  EXPECT_TRUE(std::ranges::any_of(texts, [&](const std::string& text) { return holds(e.output, text); }))
      << scenario << ":\n"
      << e.output;
}

INSTANTIATE_TEST_SUITE_P(under, ranks, testing::Values(mpi{"openmpi", MPIRUN_OPENMPI}, mpi{"mpich", MPIRUN_MPICH}),
                         [](const auto& info) { return info.param.name; });

TEST_P(ranks, do_what_plain_loops_do) {
  for (const int n : {1, 2, 3, 4, 7}) {
    const ended e = run(command(GetParam(), n, "verbs"));
    EXPECT_EQ(e.status, 0) << n << " ranks:\n" << e.output;
  }
}

TEST_P(ranks, may_be_those_of_another_user_than_root) {
  const std::string user = gridstride_test::as_another_user(65534, WORLD_RANKS);
  if (user.empty()) GTEST_SKIP() << "this isn't root, or no other user can run programs here";
  const ended e = run(launch(GetParam(), 2, "env " WORLD_RANKS " nothing", "env HOME=/tmp " + user + " "));
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_NE(e.output.find("rank 1 of 2"), std::string::npos) << e.output;
}

TEST_P(ranks, say_where_a_message_has_another_size) {
  const ended e = run(command(GetParam(), 2, "another_size"));
  EXPECT_NE(e.status, 0);
  EXPECT_TRUE(holds(e.output, "receive from rank 0 (tag 2) on rank 1 of 2, at ranks.cpp:")) << e.output;
  EXPECT_TRUE(holds(e.output,
                    ": the message has 7 elements and the array 10 float32; receive into an array of its size, "
                    "or let receive<std::vector<T>> make one"))
      << e.output;
  expect_error(GetParam(), 2, "half_an_element",
               {": the message has 7 bytes and an element 8; receive elements of the type that was sent"});
}

TEST_P(ranks, refuse_what_no_rank_can_do) {
  expect_error(GetParam(), 2, "no_such_rank", {": the other rank is 2; use a rank of 0 to 1"});
  expect_error(GetParam(), 2, "outside_of_a_window",
               {"put to rank 1 on rank 0 of 2, at ranks.cpp:", "put to rank 1 on rank 1 of 2, at ranks.cpp:"});
  expect_error(GetParam(), 2, "no_such_tag", {": the tag is -1; use one of 0 to 32767"});
}

TEST_P(ranks, say_what_ended_them) {
  const ended failed = run(command(GetParam(), 3, "one_fails"));
  EXPECT_NE(failed.status, 0);
  EXPECT_NE(failed.output.find("a rank: it fails; nothing to do"), std::string::npos) << failed.output;
  EXPECT_NE(failed.output.find("rank 1 of 3 ends with status 1, and with it all ranks"), std::string::npos)
      << failed.output;
  const ended killed = run(command(GetParam(), 3, "one_is_killed"));
  EXPECT_NE(killed.status, 0);
  EXPECT_NE(killed.status, 124) << "the other ranks went on waiting";
  // mpirun ends the others by a signal, and may not wait until all have said what they waited for; Hydra, MPICH's,
  // passes on nothing of them.
  if (GetParam().name == "openmpi") {
    EXPECT_TRUE(holds(failed.output, " of 3 waited at ranks.cpp:")) << failed.output;
    EXPECT_TRUE(holds(failed.output, " in receive from rank 1")) << failed.output;
    EXPECT_TRUE(holds(killed.output, " in barrier")) << killed.output;
  }
}

TEST_P(ranks, that_die_before_the_first_message_end_the_others) {
  for (const std::string scenario : {"one_dies_before_the_world", "one_dies_before_a_message"}) {
    const ended e = run(command(GetParam(), 3, scenario));
    EXPECT_NE(e.status, 0) << scenario;
    EXPECT_NE(e.status, 124) << scenario << ": the other ranks went on waiting";
    EXPECT_NE(e.output, "") << scenario;
  }
}

TEST_P(ranks, share_the_cores) {
  const auto all = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  const std::string unbound = GetParam().name == "openmpi" ? "--bind-to none" : "-bind-to none";
  mpi launcher = GetParam();
  launcher.mpirun += " " + unbound;  // or it would bind each rank to a core
  const ended e = run(command(launcher, static_cast<int>(all) * 2, "cores", "env -u GRIDSTRIDE_THREADS "));
  EXPECT_NE(e.output.find(" ranks, 1 cores"), std::string::npos) << e.output;
  EXPECT_EQ(e.output.find(" ranks, 2 cores"), std::string::npos) << e.output;
}

TEST_P(ranks, of_another_mpi_than_the_librarys_are_noticed) {
  const std::string other = GetParam().name == "openmpi" ? "mpich" : "openmpi";
  if (std::string(other == "mpich" ? MPIRUN_MPICH : MPIRUN_OPENMPI).empty()) GTEST_SKIP() << "only one MPI is here";
  const ended e = run(command(GetParam(), 2, "nothing", "env GRIDSTRIDE_MPI=" + other + " "));
  EXPECT_NE(e.status, 0);
  EXPECT_NE(e.output.find("gs::world() under a launcher: a launcher of "), std::string::npos) << e.output;
  EXPECT_NE(e.output.find(" each of them is a world of one; start the ranks by the mpirun of that library, or unset "
                          "GRIDSTRIDE_MPI"),
            std::string::npos)
      << e.output;
}

TEST(one_rank, is_a_world_without_mpi) {
  const ended e = run(WORLD_RANKS " verbs");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_EQ(e.output, "");
  EXPECT_EQ(run(WORLD_RANKS " nothing").output, "rank 0 of 1\n");
}

// A runtime that lies in a folder of its own has no MPI beside it.
TEST(one_rank, says_which_mpi_this_build_lacks) {
  Dl_info runtime{};
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(&gs::detail::transport_of_one), &runtime), 0);
  const gridstride_test::temporary_folder folder;
  const auto copy = folder / "libgridstride_runtime.so";
  std::filesystem::copy_file(runtime.dli_fname, copy);
  const auto without = [&](const std::string& variables) {
    return run("env " + variables + " LD_PRELOAD=" + copy.string() + " " WORLD_RANKS " nothing");
  };
  const ended launched = without("OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0");
  EXPECT_EQ(launched.status, 1);
  EXPECT_TRUE(
      launched.output.starts_with("gs::world() under a launcher: a launcher of Open MPI has started 2 ranks "
                                  "(OMPI_COMM_WORLD_SIZE is set), and this build can't use that MPI: "))
      << launched.output;
  EXPECT_TRUE(
      launched.output.ends_with("; install libopenmpi-dev and build again, or start the ranks by the other mpirun\n"))
      << launched.output;
  const ended chosen = without("GRIDSTRIDE_MPI=mpich");
  EXPECT_EQ(chosen.status, 1);
  EXPECT_TRUE(chosen.output.starts_with(
      "gs::world() under a launcher: GRIDSTRIDE_MPI asks for MPICH, and this build can't use that MPI: "))
      << chosen.output;
  EXPECT_TRUE(holds(chosen.output, "; install libmpich-dev and build again")) << chosen.output;
}

TEST(one_rank, loads_no_mpi) {
  const ended e = run("LD_DEBUG=libs " WORLD_RANKS " nothing");
  EXPECT_NE(e.output.find("libgridstride_runtime"), std::string::npos);
  EXPECT_EQ(e.output.find("libmpi"), std::string::npos);
}

// Errors that one rank alone finds, in this process.
template <class F>
std::string text_of_error(F f) {
  try {
    f(gs::world());
  } catch (const gs::error& e) {
    return e.what();
  }
  return "no error";
}
std::string end_of(const std::string& text, const std::string& after) {
  const std::size_t at = text.find(after);
  return at == std::string::npos ? text : text.substr(at);
}

TEST(one_rank, refuses_arrays_that_do_not_fit) {
  const std::vector<int> x(3);
  std::vector<int> y(4);
  EXPECT_EQ(end_of(text_of_error([&](auto& w) { w.allreduce(x, gs::out(y)); }), ": the"),
            ": the result has 3 elements and the output 4; give an output of that size, or none");
  EXPECT_EQ(end_of(text_of_error([&](auto& w) { w.reduce(x, gs::out(y)); }), ": the"),
            ": the result has 3 elements and the output 4; give an output of that size, or none");
  EXPECT_EQ(end_of(text_of_error([&](auto& w) { w.allgather(x, std::vector<std::size_t>{3, 3}); }), ": 2"),
            ": 2 counts for 1 ranks; give one for each rank, or none");
  EXPECT_EQ(end_of(text_of_error([&](auto& w) { w.scatter(x, 0, std::vector<std::size_t>{2}); }), ": the"),
            ": the counts make 2 and the array's first extent is 3; give counts that share it out");
  EXPECT_EQ(end_of(text_of_error([&](auto& w) { w.allgather(x, std::vector<std::size_t>{2}); }), ": this"),
            ": this rank's count is 2 and its array's first extent 3; give the counts of all ranks, in their order");
  EXPECT_EQ(end_of(text_of_error([&](auto& w) { w.alltoall(x, std::vector<std::size_t>{}); }), ": the"),
            ": the counts are empty; give one for each rank, or leave them out");
  EXPECT_EQ(end_of(text_of_error([](auto& w) { w.allreduce(std::complex<float>(1), gs::fold::maximum); }), ": complex"),
            ": complex numbers have no order; give a function of two elements that chooses, allreduce<f>(x)");
}

TEST(one_rank, stays_within_a_window) {
  EXPECT_EQ(end_of(text_of_error([](auto& w) { gs::window<int>(w, 4).put(std::vector<int>(3), 0, 2); }), ": elements"),
            ": elements 2 to 5 are asked for, and the window has 4; stay within it, or make it larger");
  EXPECT_EQ(end_of(text_of_error([](auto& w) {
                     int x = 0;
                     gs::window<int>(w, 4).get(x, 0, 4);
                   }),
                   ": elements"),
            ": elements 4 to 5 are asked for, and the window has 4; stay within it, or make it larger");
  EXPECT_EQ(end_of(text_of_error([](auto& w) { gs::window<int>(w, 4).put(1, 1); }), ": the other"),
            ": the other rank is 1; use a rank of 0 to 0");
}

TEST(one_rank, refuses_other_roots_and_colours) {
  int line = 0;
  const std::string text = text_of_error([&](auto& w) {
    line = __LINE__ + 1;
    w.broadcast(line, -1);
  });
  EXPECT_EQ(text, "broadcast on rank 0 of 1, at world_test.cpp:" + std::to_string(line) +
                      ": the root is rank -1; use a rank of 0 to 0");
  EXPECT_EQ(end_of(text_of_error([](auto& w) { w.split(-1); }), ": the colour"), ": the colour is -1; use 0 or more");
}

TEST(one_rank, has_nobody_to_wait_for) {
  const std::string text = text_of_error([](auto& w) { w.template receive<int>(0, 5); });
#if GRIDSTRIDE_CHECKED
  EXPECT_TRUE(holds(text, ": it can never be done: rank 0 waits for rank 0 in receive at world_test.cpp:")) << text;
#else
  EXPECT_EQ(end_of(text, ": no MPI"),
            ": no MPI says: this is the only rank, and has sent itself no such message; send such a message first, and "
            "receive it into an array of its size");
#endif
  EXPECT_EQ(end_of(text_of_error([](auto& w) {
                     auto r = w.start_allreduce(1);
                     r.wait();
                     r.wait();
                   }),
                   ": the request"),
            ": the request has been waited for, was moved from, or never began; wait once, for what a start_... "
            "function has returned");
}

TEST(one_rank, keeps_shapes_and_kinds_of_arrays) {
  const gs::communicator& w = gs::world();
  const auto x = gs::to_device(std::vector<float>(6, 1.0f)).reshape({2, 3});
  EXPECT_EQ(w.allreduce(x).shape(), gs::shape({2, 3}));
  EXPECT_EQ(w.allgather(x).shape(), gs::shape({2, 3}));
  EXPECT_EQ(w.scatter(x).shape(), gs::shape({2, 3}));
  EXPECT_EQ(w.alltoall(x).shape(), gs::shape({2, 3}));
  EXPECT_EQ((w.scatter(std::array<int, 3>{1, 2, 3})), (std::vector<int>{1, 2, 3}));
}

// --- the checked flavour ---------------------------------------------------------------------------------------------

#if GRIDSTRIDE_CHECKED

TEST_P(ranks, are_told_that_they_call_verbs_that_do_not_belong_together) {
  expect_error(GetParam(), 3, "other_verbs",
               {": rank 0 calls barrier at ranks.cpp:", ": rank 1 calls allreduce at ranks.cpp:"});
  expect_error(GetParam(), 2, "other_sizes",
               {": this rank gives 7 float32, and rank 0 gives 10 float32 at ranks.cpp:",
                ": this rank gives 10 float32, and rank 1 gives 7 float32 at ranks.cpp:"});
  expect_error(GetParam(), 2, "other_windows",
               {"window on rank 1 of 2, at ranks.cpp:", "window on rank 0 of 2, at ranks.cpp:"});
}

// The scenario prints both lines: "began at ranks.cpp:1, read at ranks.cpp:3".
TEST(one_rank, is_told_of_a_race_with_a_message) {
  for (const auto& [scenario, access] : {std::pair<std::string, std::string>{"touches_before_wait", ", read at "},
                                         {"writes_what_is_sent", ", written at "}}) {
    const ended e = run(WORLD_RANKS " " + scenario);
    EXPECT_EQ(e.status, 1);
    const auto between = [&](const std::string& before) {
      const std::size_t at = e.output.find(before);
      if (at == std::string::npos) return "no" + before;
      const std::size_t begin = at + before.size();
      return e.output.substr(begin, e.output.find_first_of(",\n", begin) - begin);
    };
    EXPECT_NE(e.output.find("on rank 0 of 1, at " + between("began at ") + ": a race: its array is" + access.substr(1)),
              std::string::npos)
        << e.output;
    EXPECT_NE(e.output.find(between(access) + ", before wait() at ranks.cpp:"), std::string::npos) << e.output;
  }
}

TEST_P(ranks, are_told_who_waits_for_whom) {
  expect_error(GetParam(), 3, "all_send_first",
               {": it can never be done: rank 0 waits for rank 1 in send at ranks.cpp:"});
}

TEST(ranks_of_one_mpi, are_told_what_is_wrong) {
  const mpi m{"openmpi", MPIRUN_OPENMPI};
  if (m.mpirun.empty()) GTEST_SKIP() << "this machine has no mpirun.openmpi";
  expect_error(m, 2, "other_types",
               {": this rank gives 1 float32, and rank 0 gives 1 int32 at ranks.cpp:",
                ": this rank gives 1 int32, and rank 1 gives 1 float32 at ranks.cpp:"});
  expect_error(m, 2, "other_roots",
               {": rank 0 names rank 0 as the root at ranks.cpp:", ": rank 1 names rank 1 as the root at ranks.cpp:"});
  expect_error(m, 2, "other_requests",
               {": rank 0 calls start_allreduce at ranks.cpp:", ": rank 1 calls start_broadcast at ranks.cpp:"});
  const ended ring = run(command(m, 3, "all_receive"));
  for (const char* part :
       {": it can never be done: rank 0 waits for rank 2 in receive at ranks.cpp:",
        ", rank 1 waits for rank 0 in receive at ranks.cpp:", ", rank 2 waits for rank 1 in receive at ranks.cpp:",
        "; let one of them send what another waits for; a send may wait until its message is received"})
    EXPECT_NE(ring.output.find(part), std::string::npos) << ring.output;
  const ended alone = run(command(m, 2, "waits_for_one_that_ended"));
  EXPECT_NE(alone.output.find("rank 0 waits for any rank in receive at ranks.cpp:"), std::string::npos) << alone.output;
  EXPECT_NE(alone.output.find(", rank 1 has ended; "), std::string::npos) << alone.output;
  const ended barrier = run(command(m, 3, "one_does_not_come"));
  EXPECT_NE(barrier.output.find("rank 0 waits for rank 1 in start_receive at ranks.cpp:"), std::string::npos)
      << barrier.output;
  // Ranks 0 and 1 can't go on whether or not rank 2 has come to the barrier by then.
  EXPECT_TRUE(
      std::regex_search(barrier.output, std::regex(", rank 1 waits for (rank 0|ranks 0, 2) in barrier at ranks.cpp:")))
      << barrier.output;
  const ended slow = run(command(m, 3, "one_takes_long"));
  EXPECT_EQ(slow.status, 0) << slow.output;
}

#endif

using gs::detail::rank_state, gs::detail::stuck_ranks;

rank_state waiting_for(std::vector<int> ranks, bool for_any = false, std::uint64_t turn = 0) {
  return {rank_state::kind::waits, 3, 1, turn, for_any, std::move(ranks), "receive at a.cpp:1"};
}
const rank_state at_work{};
const rank_state has_ended{rank_state::kind::has_ended, 0, 0, 0, false, {}, ""};

TEST(wait_graph, finds_ranks_that_wait_for_each_other) {
  using bools = std::vector<bool>;
  const auto stuck = [](const std::vector<rank_state>& all) { return stuck_ranks(all, 3); };
  EXPECT_EQ(stuck({waiting_for({1}), waiting_for({2}), waiting_for({0})}), (bools{true, true, true}));
  EXPECT_EQ(stuck({waiting_for({1}), waiting_for({2}), at_work}), (bools{false, false, false}));
  EXPECT_EQ(stuck({waiting_for({1}), waiting_for({0}), waiting_for({0}), at_work}), (bools{true, true, true, false}));
  EXPECT_EQ(stuck({waiting_for({1}), has_ended}), (bools{true, true}));
  EXPECT_EQ(stuck({waiting_for({0})}), (bools{true}));
  // Any of several: one that goes on is enough.
  EXPECT_EQ(stuck({waiting_for({0, 1, 2}, true), waiting_for({0}), at_work}), (bools{false, false, false}));
  EXPECT_EQ(stuck({waiting_for({0, 1, 2}, true), waiting_for({0}), has_ended}), (bools{true, true, true}));
  // In the same call of all ranks they wait for those that haven't come.
  EXPECT_EQ(stuck({waiting_for({0, 1, 2}, false, 7), waiting_for({0, 1, 2}, false, 7), waiting_for({0})}),
            (bools{true, true, true}));
  EXPECT_EQ(stuck({waiting_for({0, 1}, false, 7), waiting_for({0, 1}, false, 7)}), (bools{false, false}));
  EXPECT_EQ(stuck({waiting_for({0, 1}, false, 7), waiting_for({0, 1}, false, 8)}), (bools{true, true}));
  // One that has only begun to wait may still go on.
  rank_state begun = waiting_for({0});
  begun.reports = 2;
  EXPECT_EQ(stuck({waiting_for({1}), begun}), (bools{false, false}));
}

TEST(wait_graph, travels_as_bytes) {
  for (const std::vector<int>& members : {std::vector<int>{}, std::vector<int>{4, 1, 7}}) {
    rank_state s = waiting_for(members, true, 9);
    const rank_state t = gs::detail::unpacked_state(gs::detail::packed_state(s));
    EXPECT_EQ(t.is, s.is);
    EXPECT_EQ(t.reports, 3u);
    EXPECT_EQ(t.group, 1u);
    EXPECT_EQ(t.turn, 9u);
    EXPECT_TRUE(t.for_any);
    EXPECT_EQ(t.ranks, members);
    EXPECT_EQ(t.call, s.call);
  }
}

TEST(core_share, divides_cores_among_processes) {
  using gs::detail::cores_of_share;
  for (const unsigned cores : {1u, 2u, 7u, 31u, 64u})
    for (const unsigned processes : {1u, 2u, 3u, 7u}) {
      unsigned all = 0;
      for (unsigned p = 0; p < processes; ++p) all += cores_of_share(cores, {p, processes});
      EXPECT_EQ(all, std::max(cores, processes)) << cores << " cores, " << processes << " processes";
    }
}

TEST(own_gpu, is_taken_in_turn) {
  using gs::detail::visible_gpu;
  EXPECT_EQ(visible_gpu({0, 1}, "", 4), "");  // a process alone: the first, as ever
  EXPECT_EQ(visible_gpu({0, 1}, "2,3", 0), "2,3");
  EXPECT_EQ(visible_gpu({1, 4}, "", 4), "1");
  EXPECT_EQ(visible_gpu({5, 7}, "", 4), "1");
  EXPECT_EQ(visible_gpu({2, 3}, "2,GPU-a", 0), "2");
  EXPECT_EQ(visible_gpu({1, 3}, "2,GPU-a", 0), "GPU-a");
  EXPECT_EQ(visible_gpu({1, 3}, "", 0), "");  // no GPU
}

TEST(launcher, is_told_by_the_environment) {
  const auto with = [](const char* name, const char* value) {
    setenv(name, value, 1);
    const auto found = gs::detail::this_launcher();
    unsetenv(name);
    return found;
  };
  EXPECT_EQ(gs::detail::this_launcher().mpi, "");
  EXPECT_EQ(with("OMPI_COMM_WORLD_SIZE", "3").mpi, "openmpi");
  EXPECT_EQ(with("OMPI_COMM_WORLD_SIZE", "3").ranks, 3);
  EXPECT_EQ(with("PMI_RANK", "0").mpi, "mpich");
  EXPECT_EQ(with("PMIX_RANK", "0").mpi, "openmpi");
  EXPECT_EQ(with("GRIDSTRIDE_MPI", "none").mpi, "");
  EXPECT_EQ(text_of_error([&](auto&) { with("GRIDSTRIDE_MPI", "lam"); }),
            "GRIDSTRIDE_MPI: 'lam'; use openmpi, mpich or none, or leave it unset");
  unsetenv("GRIDSTRIDE_MPI");
}

}  // namespace world_test
