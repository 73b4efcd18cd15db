// Access pictures laid out: as many rows as the request costs sectors or wavefronts, and every lane in its place.

#include "workbook/plot/access_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

workbook::access_picture picture_of(gs::memory_space space, unsigned bytes, std::vector<gs::lane_access> lanes) {
  workbook::access_picture p;
  p.warp.requests = {{.space = space, .bytes = bytes, .lanes = std::move(lanes)}};
  return p;
}

TEST(access_layout, has_a_row_per_sector_or_wavefront) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 2000; ++trial) {
    const unsigned bytes = 1 + random() % 16;
    const auto space = trial % 2 == 0 ? gs::memory_space::global : gs::memory_space::shared;
    std::vector<gs::lane_access> lanes;
    for (std::uint8_t lane = 0; lane < 32; ++lane)
      if (random() % 4 != 0) lanes.push_back({lane, random() % (32u << random() % 8)});
    std::shuffle(lanes.begin(), lanes.end(), random);
    const workbook::access_layout layout = layout_of(picture_of(space, bytes, lanes));
    const bool global = space == gs::memory_space::global;
    ASSERT_EQ(layout.rows.size(), global ? layout.cost.sectors : layout.cost.wavefronts);
    ASSERT_EQ(layout.lanes.size(), lanes.size());
    std::size_t conflicts = 0;
    for (const workbook::access_row& row : layout.rows) {
      conflicts += row.conflict;
      for (std::size_t k = 0; k < row.cells.size(); ++k)
        for (const unsigned lane : row.cells[k]) {
          const auto home = std::ranges::find(lanes, lane, &gs::lane_access::lane);
          ASSERT_NE(home, lanes.end());
          if (global) {
            const std::uint64_t at = row.address + k * layout.cell_bytes;
            ASSERT_TRUE(home->address <= at && at + layout.cell_bytes <= home->address + bytes);
          } else {
            ASSERT_LE((k + 32 - home->address / 4 % 32) % 32, (home->address % 4 + bytes - 1) / 4);
          }
        }
    }
    ASSERT_EQ(conflicts, layout.cost.wavefronts - layout.cost.ideal_wavefronts);
  }
}

TEST(access_layout, has_cells_of_elements) {
  const auto cell_bytes = [](unsigned bytes, std::uint64_t address) {
    return layout_of(picture_of(gs::memory_space::global, bytes, {{0, 0}, {1, address}})).cell_bytes;
  };
  EXPECT_EQ(cell_bytes(4, 4), 4u);
  EXPECT_EQ(cell_bytes(4, 4000), 4u);
  EXPECT_EQ(cell_bytes(8, 8), 8u);
  EXPECT_EQ(cell_bytes(16, 160), 16u);
  EXPECT_EQ(cell_bytes(8, 12), 4u);  // not aligned: halves
  EXPECT_EQ(cell_bytes(12, 24), 4u);
  EXPECT_EQ(cell_bytes(4, 5), 1u);
}

TEST(access_layout, marks_gaps_and_conflicts) {
  const auto sectors = layout_of(picture_of(gs::memory_space::global, 4, {{0, 0}, {1, 32}, {2, 96}}));
  ASSERT_EQ(sectors.rows.size(), 3u);
  EXPECT_FALSE(sectors.rows[0].after_gap);
  EXPECT_FALSE(sectors.rows[1].after_gap);
  EXPECT_TRUE(sectors.rows[2].after_gap);
  const auto banks = layout_of(picture_of(gs::memory_space::shared, 4, {{0, 0}, {1, 128}, {2, 0}}));
  ASSERT_EQ(banks.rows.size(), 2u);
  EXPECT_EQ(banks.rows[0].cells[0], (workbook::touching_lanes{0, 2}));
  EXPECT_EQ(banks.rows[1].cells[0], (workbook::touching_lanes{1}));
  EXPECT_FALSE(banks.rows[0].conflict);
  EXPECT_TRUE(banks.rows[1].conflict);
}

TEST(access_layout, says_what_it_shows) {
  auto p = picture_of(gs::memory_space::shared, 1, {{0, 0}});
  EXPECT_EQ(caption_of(layout_of(p)), "1 lane, 1 wavefront of 1 ideal, 0 bank conflicts");
  EXPECT_EQ(subject_of(p), "shared read of 1 byte, block (0, 0, 0), warp 0");
  p.request = 1;
  EXPECT_EQ(subject_of(p), "no request");
  EXPECT_TRUE(layout_of(p).rows.empty());
  EXPECT_EQ(workbook::list_of({}), "");
  EXPECT_EQ(workbook::list_of({3}), "3");
  EXPECT_EQ(workbook::list_of({0, 1}), "0, 1");
  EXPECT_EQ(workbook::list_of({0, 1, 2, 3, 9, 11, 12, 13}), "0 to 3, 9, 11 to 13");
}

}  // namespace
