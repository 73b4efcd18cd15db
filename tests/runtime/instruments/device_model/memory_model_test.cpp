// What a request costs: counted by hand for the patterns that a course meets, and against the definitions, taken
// literally, for random ones.

#include "runtime/instruments/device_model/memory_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "runtime/core/error.h"

namespace {

using gs::memory_space;
using gs::request_cost;
using addresses = std::vector<std::uint64_t>;

// Addresses of 32 lanes.
template <class F>
addresses of_lanes(F address_of_lane) {
  addresses a;
  for (int lane = 0; lane < 32; ++lane) a.push_back(static_cast<std::uint64_t>(address_of_lane(lane)));
  return a;
}

request_cost global(const addresses& a, unsigned bytes = 4) {
  return gs::cost_of_request(a, bytes, memory_space::global);
}
request_cost shared(const addresses& a, unsigned bytes = 4) {
  return gs::cost_of_request(a, bytes, memory_space::shared);
}

// The definitions, byte by byte and word by word.
request_cost literally(const addresses& a, unsigned bytes, memory_space space, std::uint32_t active) {
  request_cost cost;
  std::set<std::uint64_t> used, sectors;
  std::map<std::uint64_t, std::uint32_t> lanes_on;
  for (std::uint64_t address : a) {
    ++lanes_on[address];
    for (unsigned b = 0; b < bytes; ++b) {
      used.insert(address + b);
      sectors.insert((address + b) / 32);
    }
  }
  cost.bytes_used = static_cast<std::uint32_t>(used.size());
  cost.addresses = static_cast<std::uint32_t>(lanes_on.size());
  for (const auto& [address, count] : lanes_on) cost.most_per_address = std::max(cost.most_per_address, count);
  if (space == memory_space::global) {
    cost.sectors = static_cast<std::uint32_t>(sectors.size());
    cost.ideal_sectors = (cost.bytes_used + 31) / 32;
  }
  if (space == memory_space::shared) {
    const unsigned together = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
    std::size_t next = 0;
    for (unsigned first = 0; first < 32; first += together) {
      std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
      for (unsigned lane = first; lane < first + together; ++lane) {
        if (!(active >> lane & 1)) continue;
        for (unsigned b = 0; b < bytes; ++b) {
          const std::uint64_t word = (a[next] + b) / 4;
          words_of_bank[word % 32].insert(word);
        }
        ++next;
      }
      std::size_t most = 0;
      for (const auto& [bank, words] : words_of_bank) most = std::max(most, words.size());
      cost.wavefronts += static_cast<std::uint32_t>(most);
      cost.ideal_wavefronts += most > 0;
    }
  }
  return cost;
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const gs::error& e) {
    return e.what();
  }
  return "no error";
}

TEST(sectors, of_neighbours_are_as_few_as_can_be) {
  // 32 floats are 128 bytes: 4 sectors. 32 doubles are 256 bytes: 8.
  EXPECT_EQ(
      global(of_lanes([](int lane) { return 4 * lane; })),
      (request_cost{.bytes_used = 128, .sectors = 4, .ideal_sectors = 4, .addresses = 32, .most_per_address = 1}));
  EXPECT_EQ(
      global(of_lanes([](int lane) { return 8 * lane; }), 8),
      (request_cost{.bytes_used = 256, .sectors = 8, .ideal_sectors = 8, .addresses = 32, .most_per_address = 1}));
}

TEST(sectors, of_strides_1_to_32) {
  // Strided floats span 4 * (31 * stride + 1) bytes; up to a stride of 8, which is a sector, none of them is skipped.
  for (int stride = 1; stride <= 32; ++stride) {
    const request_cost f32 = global(of_lanes([=](int lane) { return 4 * stride * lane; }));
    const int spanned = (4 * (31 * stride + 1) + 31) / 32;
    EXPECT_EQ(f32.sectors, stride <= 8 ? spanned : 32) << "stride " << stride;
    EXPECT_EQ(f32.ideal_sectors, 4u);
    EXPECT_EQ(f32.bytes_used, 128u);
    const request_cost f64 = global(of_lanes([=](int lane) { return 8 * stride * lane; }), 8);
    EXPECT_EQ(f64.sectors, stride <= 4 ? (8 * (31 * stride + 1) + 31) / 32 : 32) << "stride " << stride;
    EXPECT_EQ(f64.ideal_sectors, 8u);
    EXPECT_EQ(f64.bytes_used, 256u);
  }
  EXPECT_EQ(global(of_lanes([](int lane) { return 8 * lane; })).sectors, 8u);    // stride 2: half of each is wasted
  EXPECT_EQ(global(of_lanes([](int lane) { return 12 * lane; })).sectors, 12u);  // stride 3
  EXPECT_EQ(global(of_lanes([](int lane) { return 28 * lane; })).sectors, 28u);  // stride 7
  EXPECT_EQ(global(of_lanes([](int lane) { return 32 * lane; })).sectors, 32u);  // stride 8: a sector for each
}

TEST(sectors, of_shifted_neighbours_are_one_more) {
  for (int offset = 1; offset <= 7; ++offset) {
    EXPECT_EQ(global(of_lanes([=](int lane) { return 4 * (lane + offset); })).sectors, 5u) << offset;
    EXPECT_EQ(global(of_lanes([=](int lane) { return 8 * (lane + offset); }), 8).sectors, offset == 4 ? 8u : 9u)
        << offset;
  }
  EXPECT_EQ(global(of_lanes([](int lane) { return 4 * (lane + 8); })).sectors, 4u);
}

TEST(sectors, of_structs_read_member_by_member) {
  // A float out of each struct: the whole span moves, 128 bytes of it are used.
  EXPECT_EQ(global(of_lanes([](int lane) { return 12 * lane; })).sectors, 12u);      // x of {x, y, z}
  EXPECT_EQ(global(of_lanes([](int lane) { return 12 * lane + 8; })).sectors, 12u);  // z of it
  EXPECT_EQ(global(of_lanes([](int lane) { return 16 * lane; })).sectors, 16u);
  EXPECT_EQ(global(of_lanes([](int lane) { return 24 * lane; })).sectors, 24u);
  EXPECT_EQ(global(of_lanes([](int lane) { return 32 * lane + 20; })).sectors, 32u);
  // The struct in one access: everything that moves is used.
  const request_cost whole = global(of_lanes([](int lane) { return 16 * lane; }), 16);
  EXPECT_EQ(whole.sectors, 16u);
  EXPECT_EQ(whole.ideal_sectors, 16u);
  EXPECT_EQ(whole.bytes_used, 512u);
}

TEST(sectors, of_one_and_two_bytes) {
  EXPECT_EQ(global(of_lanes([](int lane) { return lane; }), 1).sectors, 1u);
  EXPECT_EQ(global(of_lanes([](int lane) { return lane + 1; }), 1).sectors, 2u);
  EXPECT_EQ(global(of_lanes([](int lane) { return 2 * lane; }), 2).sectors, 2u);
  EXPECT_EQ(global(of_lanes([](int lane) { return 2 * lane; }), 1).bytes_used, 32u);
}

TEST(sectors, of_a_block_on_a_matrix_of_odd_width) {
  // 101 floats are a row of 404 bytes. A warp of an 8 x 8 block covers 8 columns of 4 rows, which begin at bytes 0,
  // 404, 808 and 1212: at 0, 20, 8 and 28 of a sector, so all rows but the first lie in two.
  const auto block8 = of_lanes([](int lane) { return 4 * (101 * (lane / 8) + lane % 8); });
  EXPECT_EQ(global(block8).sectors, 7u);
  EXPECT_EQ(global(block8).ideal_sectors, 4u);
  // A warp of a 32 x 8 block covers 32 columns of one row. Row 0 begins a sector, the others don't.
  for (int row = 0; row < 8; ++row)
    EXPECT_EQ(global(of_lanes([=](int lane) { return 4 * (101 * row + lane); })).sectors, row == 0 ? 4u : 5u) << row;
  // The same block of threads with rows and columns exchanged: 8 rows of 4 columns, from bytes 404 * row on.
  const auto exchanged = of_lanes([](int lane) { return 4 * (101 * (lane % 8) + lane / 8); });
  // Rows begin at 0, 20, 8, 28, 16, 4, 24, 12 of a sector and are 16 bytes long: 20, 28 and 24 reach into the next.
  EXPECT_EQ(global(exchanged).sectors, 11u);
}

TEST(sectors, of_a_transpose) {
  // One side of a plain transpose of a 1024 x 1024 matrix is a row, the other a column.
  EXPECT_EQ(global(of_lanes([](int lane) { return 4 * (1024 * 7 + lane); })).sectors, 4u);
  EXPECT_EQ(global(of_lanes([](int lane) { return 4 * (1024 * lane + 7); })).sectors, 32u);
}

TEST(sectors, of_a_broadcast_and_of_reversed_lanes) {
  EXPECT_EQ(global(of_lanes([](int) { return 400; })),
            (request_cost{.bytes_used = 4, .sectors = 1, .ideal_sectors = 1, .addresses = 1, .most_per_address = 32}));
  EXPECT_EQ(global(of_lanes([](int lane) { return 4 * (31 - lane); })),
            global(of_lanes([](int lane) { return 4 * lane; })));
  EXPECT_EQ(global(of_lanes([](int lane) { return 4000 * (31 - lane); })).sectors, 32u);
}

TEST(sectors, of_some_lanes) {
  for (std::size_t count : {0u, 1u, 8u, 9u, 31u}) {
    auto a = of_lanes([](int lane) { return 4 * lane; });
    a.resize(count);
    EXPECT_EQ(global(a).sectors, (count + 7) / 8);
    EXPECT_EQ(global(a).bytes_used, 4 * count);
  }
  EXPECT_EQ(global({}), request_cost{});
}

TEST(wavefronts, of_strides_1_to_32) {
  // Lanes meet in a bank as often as the stride has factors of two in common with 32.
  for (int stride = 1; stride <= 32; ++stride) {
    const request_cost cost = shared(of_lanes([=](int lane) { return 4 * stride * lane; }));
    EXPECT_EQ(cost.wavefronts, static_cast<unsigned>(std::gcd(stride, 32))) << "stride " << stride;
    EXPECT_EQ(cost.ideal_wavefronts, 1u);
    EXPECT_EQ(cost.sectors, 0u);
  }
}

TEST(wavefronts, of_a_tile_with_and_without_padding) {
  const auto column = [](int width) { return of_lanes([=](int lane) { return 4 * (width * lane + 5); }); };
  const auto row = [](int width) { return of_lanes([=](int lane) { return 4 * (width * 5 + lane); }); };
  EXPECT_EQ(shared(column(32)).wavefronts, 32u);
  EXPECT_EQ(shared(column(33)).wavefronts, 1u);
  EXPECT_EQ(shared(row(32)).wavefronts, 1u);
  EXPECT_EQ(shared(row(33)).wavefronts, 1u);
  // Doubles, 16 lanes at a time: 16 in one bank, twice; with padding none meet.
  const auto column_of_doubles = [](int width) { return of_lanes([=](int lane) { return 8 * (width * lane + 5); }); };
  EXPECT_EQ(shared(column_of_doubles(32), 8).wavefronts, 32u);
  EXPECT_EQ(shared(column_of_doubles(33), 8).wavefronts, 2u);
}

TEST(wavefronts, of_a_broadcast_are_one) {
  EXPECT_EQ(shared(of_lanes([](int) { return 64; })).wavefronts, 1u);
  EXPECT_EQ(shared(of_lanes([](int lane) { return 4 * (lane / 8); })).wavefronts, 1u);    // four words
  EXPECT_EQ(shared(of_lanes([](int lane) { return 128 * (lane / 8); })).wavefronts, 4u);  // four of one bank
  EXPECT_EQ(shared(of_lanes([](int lane) { return 128 * (lane % 2); })).wavefronts, 2u);
}

TEST(wavefronts, of_small_elements_share_words) {
  EXPECT_EQ(shared(of_lanes([](int lane) { return lane; }), 1).wavefronts, 1u);
  EXPECT_EQ(shared(of_lanes([](int lane) { return 2 * lane; }), 2).wavefronts, 1u);
  EXPECT_EQ(shared(of_lanes([](int lane) { return 32 * lane; }), 1).wavefronts, 8u);
  EXPECT_EQ(shared(of_lanes([](int lane) { return 64 * lane + 2; }), 2).wavefronts, 16u);
}

TEST(wavefronts, of_wide_accesses_come_in_phases) {
  const request_cost eight = shared(of_lanes([](int lane) { return 8 * lane; }), 8);
  EXPECT_EQ(eight.wavefronts, 2u);
  EXPECT_EQ(eight.ideal_wavefronts, 2u);
  const request_cost sixteen = shared(of_lanes([](int lane) { return 16 * lane; }), 16);
  EXPECT_EQ(sixteen.wavefronts, 4u);
  EXPECT_EQ(sixteen.ideal_wavefronts, 4u);
  // Every second double: 16 lanes of a phase span 64 words, two in each bank they use.
  EXPECT_EQ(shared(of_lanes([](int lane) { return 16 * lane; }), 8).wavefronts, 4u);
  // Every second group of four floats.
  EXPECT_EQ(shared(of_lanes([](int lane) { return 32 * lane; }), 16).wavefronts, 8u);
  // Lanes of different halves don't meet, whatever their banks are.
  EXPECT_EQ(shared(of_lanes([](int lane) { return 8 * (lane % 16) + 1024 * (lane / 16); }), 8).wavefronts, 2u);
}

TEST(wavefronts, of_some_lanes_depend_on_which) {
  // 8 lanes that read a double each, all in one bank: in one half of the warp they wait for each other; spread over
  // both halves, four do twice. The sum is the same, the conflicts are not.
  addresses a;
  for (std::uint64_t k = 0; k < 8; ++k) a.push_back(128 * k);
  const request_cost one_half = gs::cost_of_request(a, 8, memory_space::shared, 0x000000ff);
  EXPECT_EQ(one_half.wavefronts, 8u);
  EXPECT_EQ(one_half.ideal_wavefronts, 1u);
  const request_cost combined = gs::cost_of_request(a, 8, memory_space::shared, 0x000f000f);
  EXPECT_EQ(combined.wavefronts, 8u);
  EXPECT_EQ(combined.ideal_wavefronts, 2u);
  // Two lanes of one phase conflict, of two phases don't.
  EXPECT_EQ(gs::cost_of_request(addresses{0, 128}, 16, memory_space::shared, 0x3).wavefronts, 2u);
  EXPECT_EQ(gs::cost_of_request(addresses{0, 128}, 16, memory_space::shared, 0x101).wavefronts, 2u);
  EXPECT_EQ(gs::cost_of_request(addresses{0, 128}, 16, memory_space::shared, 0x3).ideal_wavefronts, 1u);
  EXPECT_EQ(gs::cost_of_request(addresses{0, 128}, 16, memory_space::shared, 0x101).ideal_wavefronts, 2u);
}

TEST(atomics, on_one_address_wait_for_each_other) {
  EXPECT_EQ(global(of_lanes([](int) { return 0; })).most_per_address, 32u);
  const request_cost histogram = global(of_lanes([](int lane) { return 4 * (lane * lane % 7); }));
  EXPECT_EQ(histogram.addresses, 4u);  // squares modulo 7 are 0, 1, 2 and 4
  // 0, 7, 14, 21 and 28 give 0; of the others 9 each have remainders 1 or 6, 2 or 5, 3 or 4.
  EXPECT_EQ(histogram.most_per_address, 9u);
  EXPECT_EQ(global(of_lanes([](int lane) { return 4 * lane; })).most_per_address, 1u);
}

TEST(local_memory, has_neither_sectors_nor_wavefronts) {
  const auto a = of_lanes([](int lane) { return 4 * lane; });
  EXPECT_EQ(gs::cost_of_request(a, 4, memory_space::local),
            (request_cost{.bytes_used = 128, .addresses = 32, .most_per_address = 1}));
}

TEST(cost_of_request, is_what_the_definitions_say) {
  std::mt19937_64 random(7);
  const auto draw = [&](std::uint64_t bound) { return random() % bound; };
  for (int trial = 0; trial < 20'000; ++trial) {
    const auto active = static_cast<std::uint32_t>(trial % 3 == 0   ? random()
                                                   : trial % 3 == 1 ? ~0ull
                                                                    : random() & random());
    const auto count = static_cast<std::size_t>(std::popcount(active));
    const auto bytes = static_cast<unsigned>(trial % 5 == 0 ? 1 + draw(16) : 1ull << draw(5));
    const std::uint64_t base = draw(1 << 12) * (trial % 2 == 0 ? 1 : bytes);
    const std::uint64_t spread = 1ull << draw(14);
    const std::uint64_t step = draw(200) * (trial % 4 < 2 ? bytes : 1);
    addresses a;
    for (std::size_t k = 0; k < count; ++k) {
      switch (trial % 7) {
        case 0:
          a.push_back(base + draw(spread));
          break;  // anywhere
        case 1:
          a.push_back(base + draw(spread) / bytes * bytes);
          break;  // aligned
        case 2:
          a.push_back(base + k * step);
          break;  // regular
        case 3:
          a.push_back(base + (count - 1 - k) * step);
          break;  // backwards
        case 4:
          a.push_back(base + k / 8 * step + k % 8 * bytes);
          break;  // rows of a block
        case 5:
          a.push_back(base + k % 8 * step + k / 8 * bytes);
          break;  // its columns
        default:
          a.push_back(base + (k ^ (trial & 31u)) * bytes);
          break;  // swizzled
      }
    }
    for (auto space : {memory_space::global, memory_space::shared, memory_space::local})
      ASSERT_EQ(gs::cost_of_request(a, bytes, space, active), literally(a, bytes, space, active))
          << "trial " << trial << ", " << count << " lanes of " << bytes << " bytes";
  }
}

TEST(cost_of_request, may_reach_the_end_of_the_address_space) {
  const std::uint64_t end = ~std::uint64_t{0} - 127;
  EXPECT_EQ(global(of_lanes([=](int lane) { return end + 4 * static_cast<std::uint64_t>(lane); })).sectors, 4u);
}

TEST(cost_of, takes_lanes_in_any_order) {
  gs::warp_request request{.space = memory_space::shared, .bytes = 8, .lanes = {{17, 128}, {0, 0}, {1, 256}}};
  EXPECT_EQ(cost_of(request), gs::cost_of_request(addresses{0, 256, 128}, 8, memory_space::shared, 0x20003));
  request.lanes.clear();
  EXPECT_EQ(cost_of(request), request_cost{});
}

TEST(strided_request, has_a_lane_every_so_many_bytes) {
  using enum gs::access_kind;
  const gs::warp_request down = gs::strided_request(memory_space::global, write, 400, 12, 8);
  EXPECT_EQ(down.space, memory_space::global);
  EXPECT_EQ(down.kind, write);
  EXPECT_EQ(down.bytes, 8u);
  ASSERT_EQ(down.lanes.size(), 32u);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(down.lanes[lane].lane, lane);
    EXPECT_EQ(down.lanes[lane].address, 12 + 400 * lane);
  }
  EXPECT_EQ(cost_of(gs::strided_request(memory_space::global, read, 4)).sectors, 4u);
  EXPECT_EQ(cost_of(gs::strided_request(memory_space::shared, read, 132)).wavefronts, 1u);
  EXPECT_EQ(cost_of(gs::strided_request(memory_space::shared, read, 136)).wavefronts, 2u);
}

TEST(cost_of_request, refuses_what_no_warp_does) {
  EXPECT_EQ(error_of([] { global({0}, 0); }),
            "the cost of a request of 1 lanes, 0 bytes each: a lane accesses 1 to 16 bytes at once; split larger "
            "accesses");
  EXPECT_EQ(error_of([] { global({0}, 17); }),
            "the cost of a request of 1 lanes, 17 bytes each: a lane accesses 1 to 16 bytes at once; split larger "
            "accesses");
  EXPECT_EQ(error_of([] { global(addresses(33)); }),
            "the cost of a request of 33 lanes, 4 bytes each: the mask has 32 active lanes; give one address per "
            "active lane");
  EXPECT_EQ(error_of([] { gs::cost_of_request(addresses(2), 4, memory_space::global, 0x7); }),
            "the cost of a request of 2 lanes, 4 bytes each: the mask has 3 active lanes; give one address per active "
            "lane");
  EXPECT_EQ(error_of([] { cost_of(gs::warp_request{.lanes = {{32, 0}}}); }),
            "the cost of a request of 1 lanes, 4 bytes each: lane 32; a warp has lanes 0 to 31");
  EXPECT_EQ(error_of([] { cost_of(gs::warp_request{.lanes = {{3, 0}, {3, 4}}}); }),
            "the cost of a request of 2 lanes, 4 bytes each: lane 3 comes twice; give one access per lane");
}

}  // namespace
