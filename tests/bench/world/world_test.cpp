// bench world: every verb has a row, ours and MPI's results agree, and wrong usage is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>

#include "tests/bench/program_outcome.h"
#include "tests/runtime/world/launched.h"
#include "tests/temporary_folder.h"

namespace bench_world_test {

struct entrant {
  world_test::mpi mpi;
  std::string program;
};

void PrintTo(const entrant& e, std::ostream* out) { *out << e.mpi.name; }

class bench_world : public testing::TestWithParam<entrant> {
 protected:
  void SetUp() override {
    if (GetParam().program.empty() || GetParam().mpi.mpirun.empty())
      GTEST_SKIP() << "this machine or this build lacks " << GetParam().mpi.name;
  }
  static std::string command(int ranks, const std::string& words) {
    return world_test::launch(GetParam().mpi, ranks, GetParam().program + " " + words,
                              "env UCX_WARN_UNUSED_ENV_VARS=n ");
  }
};

INSTANTIATE_TEST_SUITE_P(under, bench_world,
                         testing::Values(entrant{{"openmpi", MPIRUN_OPENMPI}, BENCH_WORLD_OPENMPI},
                                         entrant{{"mpich", MPIRUN_MPICH}, BENCH_WORLD_MPICH}),
                         [](const auto& info) { return info.param.mpi.name; });

const std::set<std::string> verbs{"broadcast",     "reduce",          "allreduce",       "scan",
                                  "gather",        "allgather",       "scatter",         "alltoall",
                                  "send, receive", "start_broadcast", "start_allreduce", "halo exchange"};

// The times mean nothing at this size; that there are those of both, of equal results, does.
TEST_P(bench_world, has_a_row_for_every_verb) {
  for (const int ranks : {2, 3}) {
    const auto [status, output] = bench_test::outcome_of(command(ranks, "--quick --json"));
    ASSERT_EQ(status, 0) << output;
    const auto document = nlohmann::json::parse(output);
    EXPECT_EQ(document["schema"], "gridstride-bench-world/1");
    EXPECT_EQ(document["command"], "gridstride bench world --ranks " + std::to_string(ranks) + " --quick --json");
    EXPECT_EQ(document["ranks"], ranks);
    EXPECT_TRUE(document["quick"]);
    std::map<std::string, std::set<std::size_t>> sizes;
    for (const auto& row : document["rows"]) {
      EXPECT_GT(row["ours"]["median"], 0) << row;
      EXPECT_GT(row["mpi"]["median"], 0) << row;
      EXPECT_EQ(row["samples"]["ours"].size(), 3u);
      EXPECT_EQ(row["samples"]["mpi"].size(), 3u);
      EXPECT_NE(row.contains("ratio"), row.contains("difference")) << row;
      EXPECT_FALSE(row.contains("verdict")) << "of times that mean nothing";
      EXPECT_FALSE(row.contains("mpi4py"));
      sizes[row["verb"]].insert(row["bytes"].get<std::size_t>());
    }
    for (const std::string& verb : verbs) EXPECT_EQ(sizes[verb], (std::set<std::size_t>{8, 65536})) << verb;
    EXPECT_EQ(sizes["barrier"], std::set<std::size_t>{0});
    EXPECT_EQ(sizes["diffusion, 64 x 256 cells"], std::set<std::size_t>{1024});
    EXPECT_EQ(sizes.size(), verbs.size() + 2);
  }
}

TEST_P(bench_world, shows_what_mpi4py_has_measured) {
  const gridstride_test::temporary_folder folder;
  const std::string file = (folder / "mpi4py.json").string();
  std::ofstream(file)
      << R"({"version": "mpi4py 3", "rows": [{"verb": "allreduce", "bytes": 8, "samples": [0.25, 0.5, 1]}]})";
  const auto [status, output] = bench_test::outcome_of(command(2, "--quick --json --mpi4py=" + file));
  ASSERT_EQ(status, 0) << output;
  const auto document = nlohmann::json::parse(output);
  EXPECT_EQ(document["mpi4py"], "mpi4py 3");
  for (const auto& row : document["rows"]) {
    const bool has_it = row["verb"] == "allreduce" && row["bytes"] == 8;
    ASSERT_EQ(row.contains("mpi4py"), has_it) << row;
    if (has_it) {
      EXPECT_EQ(row["mpi4py"]["median"], 0.5);
    }
  }

  std::ofstream(file) << R"({"lacking": "it is not there"})";
  const auto [table_status, table] = bench_test::outcome_of(command(2, "--quick --mpi4py=" + file));
  EXPECT_EQ(table_status, 0);
  EXPECT_TRUE(world_test::holds(table, "\n  send, receive                  64 KiB")) << table;
  EXPECT_TRUE(world_test::holds(table, "mpi4py is left out: it is not there\n")) << table;
}

TEST_P(bench_world, refuses_what_it_does_not_know) {
  const auto words = world_test::run(GetParam().program + " --fast");
  EXPECT_EQ(words.status, 2);
  EXPECT_EQ(words.output, "bench world: it was given '--fast'; give --ranks N, --json, --quick or nothing\n");
  const auto alone = world_test::run(GetParam().program);
  EXPECT_EQ(alone.status, 1);
  EXPECT_EQ(
      alone.output,
      "bench world: it runs as one rank, which sends no messages; start it by ./gridstride bench world --ranks 2\n");
  for (const std::string text : {"no document", R"({"rows": 3})", ""}) {
    const gridstride_test::temporary_folder folder;
    const std::string file = (folder / "mpi4py.json").string();
    std::ofstream(file) << text;
    const auto other = world_test::run(command(2, "--quick --mpi4py=" + file));
    EXPECT_NE(other.status, 0);
    EXPECT_TRUE(
        world_test::holds(other.output, "reading mpi4py's times from '" + file +
                                            "': they are no document of with_mpi4py.py; run with_mpi4py.py, and see "
                                            "what it says\n"))
        << other.output;
  }
}

// The script of mpi4py, where there is one: its own program says why else.
TEST_P(bench_world, compares_with_mpi4py) {
  const std::string python = std::filesystem::exists(PEERS_PYTHON) ? PEERS_PYTHON : "python3";
  const auto [status, output] =
      bench_test::outcome_of(world_test::launch(GetParam().mpi, 2, python + " -B " WITH_MPI4PY " --quick"));
  ASSERT_EQ(status, 0) << output;
  const auto document = nlohmann::json::parse(output);
  if (document.contains("lacking")) GTEST_SKIP() << document["lacking"];
  std::map<std::string, std::set<std::size_t>> sizes;
  for (const auto& row : document["rows"]) sizes[row["verb"]].insert(row["bytes"].get<std::size_t>());
  for (const std::string verb : {"send, receive", "allreduce", "broadcast"})
    EXPECT_EQ(sizes[verb], (std::set<std::size_t>{8, 65536})) << verb;
}

}  // namespace bench_world_test
