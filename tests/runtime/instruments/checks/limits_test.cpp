// Launches under gs::inspect: where they are written, and which of them a GPU of a chosen model refuses.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"
#include "tests/runtime/refused.h"

namespace {

void count_up(gs::thread t, gs::view<int> n) { gs::atomic_ref(n[t.grid() % n.size()]).fetch_add(1); }
struct large_tile {
  gs::tile<float, 12 * 1024> all;
};
void fill_tile(gs::thread t, gs::shared<large_tile> s, gs::view<int> n) {
  s->all[t.thread_rank()] = 1;
  t.grid_sync();
  if (t.grid() == 0) n[0] = 1;
}

void meet(gs::thread t, gs::view<int> n) {
  t.grid_sync();
  if (t.grid() == 0) n[0] = 1;
}

gs::launch_options written_elsewhere() { return {.grid = 2, .block = 8}; }
constexpr unsigned elsewhere = __LINE__ - 1;

class launch_place : public testing::Test {
 protected:
  launch_place() { gs::select_device(gs::device_kind::engine); }
  static gs::inspection on_model(const std::string& model, const auto& launch) {
    gs::inspect_options options;
    options.model = model;
    options.instruments = 0;
    options.instruments.set(static_cast<std::size_t>(gs::instrument::limits));
    return gs::inspect(launch, options);
  }
  gs::device_array<int> n = gs::to_device(std::vector<int>(4));
};

TEST_F(launch_place, is_where_the_options_are_written) {
  unsigned direct = 0, several_lines = 0;
  const gs::inspection result = gs::inspect([&] {
    gs::launch<count_up>({.grid = 1, .block = 8}, n);
    direct = __LINE__ - 1;
    gs::launch<count_up>(
        {
            .grid = 1,
            .block = 16,
        },
        n);
    several_lines = __LINE__ - 5;
    gs::launch<count_up>(written_elsewhere(), n);
  });
  ASSERT_EQ(result.kernels.size(), 3u);
  EXPECT_EQ(result.kernels[0].where.line, direct);
  EXPECT_NE(result.kernels[0].where.file.find("limits_test.cpp"), std::string::npos);
  EXPECT_LE(result.kernels[1].where.line, several_lines);
  EXPECT_GT(result.kernels[1].where.line, direct);
  EXPECT_EQ(result.kernels[2].where.line, elsewhere);
}

TEST_F(launch_place, is_that_of_a_launch_that_a_model_refuses) {
  unsigned line = 0;
  const auto too_many = [&] {
    line = __LINE__ + 1;
    gs::launch<fill_tile>({.grid = 41, .block = 32, .cooperative = true}, n);
  };
  const gs::inspection result = on_model("7.5", too_many);
  ASSERT_EQ(result.findings.size(), 1u);
  const gs::finding& f = result.findings[0];
  EXPECT_EQ(f.kind, gs::finding_kind::launch_limit);
  EXPECT_EQ(f.access.where.line, line);
  EXPECT_EQ(f.access.kernel, "{anonymous}::fill_tile");
  EXPECT_EQ(f.count, 1u);
  EXPECT_NE(
      f.meaning.find(
          "A cooperative launch of {anonymous}::fill_tile with 41 blocks: Tesla T4 (compute capability 7.5) holds "
          "40 of them at once"),
      std::string::npos)
      << f.meaning;
  EXPECT_TRUE(on_model("9.0", too_many).findings.empty());
  EXPECT_TRUE(on_model("7.5", [&] {
                gs::launch<fill_tile>({.grid = 40, .block = 32, .cooperative = true}, n);
              }).findings.empty());
}

TEST_F(launch_place, repeated_refusals_are_counted_by_line) {
  const gs::inspection result = on_model("7.5", [&] {
    for (int i = 0; i < 3; ++i) gs::launch<fill_tile>({.grid = 50, .block = 32, .cooperative = true}, n);
    gs::launch<fill_tile>({.grid = 50, .block = 32, .cooperative = true}, n);
  });
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.findings[0].count, 3u);
  EXPECT_EQ(result.findings[1].count, 1u);
  EXPECT_EQ(result.findings[0].access.where.line + 1, result.findings[1].access.where.line);
}

TEST_F(launch_place, many_small_blocks_exceed_a_model) {
  const auto blocks_of_one_warp = [&] { gs::launch<meet>({.grid = 512, .block = 32, .cooperative = true}, n); };
  EXPECT_TRUE(on_model("7.5", blocks_of_one_warp).findings.empty());   // 40 multiprocessors hold 16 blocks each
  EXPECT_EQ(on_model("7.2", blocks_of_one_warp).findings.size(), 1u);  // 8 hold 32
}

TEST_F(launch_place, unknown_models_are_refused) {
  EXPECT_TRUE(runtime_test::refused([&] { on_model("6.1", [] {}); }, {"compute capability '6.1'", "7.0, 7.2"}));
}

}  // namespace
