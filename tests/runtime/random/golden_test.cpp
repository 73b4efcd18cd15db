// The draws against Numba's own, bit for bit: xoroshiro_golden.json was made by numba.cuda.random and says how.

#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/gs.h"

namespace {

using nlohmann::json;

const json& golden() {
  static const json values = json::parse(std::ifstream(GOLDEN_FILE));
  return values;
}
std::uint64_t word(const json& text) { return std::stoull(text.get<std::string>(), nullptr, 0); }
gs::random_state state_of(const json& words) { return {word(words.at("s0")), word(words.at("s1"))}; }

// Every draw of every state of a case, as bits, and the states that are left.
template <class Draw>
void expect_draws(const json& recorded, const json& draws, const json& states_after, const char* key, Draw draw) {
  for (std::size_t i = 0; i < draws.size(); ++i) {
    gs::random_state state = state_of(recorded.at("states").at(i));
    for (std::size_t j = 0; j < draws.at(i).size(); ++j)
      EXPECT_EQ(draw(state), word(draws.at(i).at(j).at(key))) << "state " << i << ", draw " << j;
    EXPECT_EQ(state, state_of(states_after.at(i)));
  }
}

class golden_case : public testing::TestWithParam<std::size_t> {
 protected:
  const json& recorded() const { return golden().at("cases").at(GetParam()); }
};

TEST_P(golden_case, states) {
  const std::uint64_t seed = std::stoull(recorded().at("seed").get<std::string>());
  const std::uint64_t start = recorded().at("subsequence_start");
  const json& states = recorded().at("states");
  const auto states_made = gs::random_states(states.size(), seed, start).copy_to_host();
  ASSERT_EQ(states_made.size(), states.size());
  for (std::size_t i = 0; i < states_made.size(); ++i) {
    EXPECT_EQ(states_made[i], state_of(states.at(i))) << i;
    EXPECT_EQ(gs::random_state_at(seed, start + i), state_of(states.at(i))) << i;
  }
}

TEST_P(golden_case, next_uint64) {
  const json& values = recorded().at("next_uint64");
  expect_draws(recorded(), values.at("draws"), values.at("states_after"), "hex",
               [](gs::random_state& state) { return gs::next_uint64(state); });
}

TEST_P(golden_case, uniform) {
  const json &single = recorded().at("uniform_float32"), &wide = recorded().at("uniform_float64");
  expect_draws(recorded(), single.at("draws"), single.at("states_after"), "bits",
               [](gs::random_state& state) { return std::bit_cast<std::uint32_t>(gs::uniform_float32(state)); });
  expect_draws(recorded(), wide.at("draws"), wide.at("states_after"), "bits",
               [](gs::random_state& state) { return std::bit_cast<std::uint64_t>(gs::uniform_float64(state)); });
}

TEST_P(golden_case, normal) {
  const json &single = recorded().at("normal_float32"), &wide = recorded().at("normal_float64");
  expect_draws(recorded(), single.at("device_semantics"), single.at("states_after"), "bits",
               [](gs::random_state& state) { return std::bit_cast<std::uint32_t>(gs::normal_float32(state)); });
  expect_draws(recorded(), wide.at("device_semantics"), wide.at("states_after"), "bits",
               [](gs::random_state& state) { return std::bit_cast<std::uint64_t>(gs::normal_float64(state)); });
}

INSTANTIATE_TEST_SUITE_P(, golden_case, testing::Range(std::size_t{0}, golden().at("cases").size()));

TEST(golden_edge, a_float32_rounds_up_to_1_and_the_strict_one_does_not) {
  const json& edge = golden().at("edge_cases").at(0);
  const std::uint64_t seed = std::stoull(edge.at("seed").get<std::string>());
  const int draws_before = edge.at("draw_index");
  const gs::random_state start = gs::random_state_at(seed, edge.at("state_index"));
  EXPECT_EQ(start, state_of(edge.at("state")));

  gs::random_state raw = start, single = start, wide = start, strict = start;
  for (int k = 0; k < draws_before; ++k) {
    gs::next_uint64(raw);
    gs::uniform_float32(single);
    gs::uniform_float64(wide);
    gs::uniform_float32(strict, gs::strict);
  }
  EXPECT_EQ(gs::next_uint64(raw), word(edge.at("raw")));
  EXPECT_EQ(gs::uniform_float32(single), 1.0f);
  EXPECT_EQ(gs::uniform_float64(wide), std::stod(edge.at("uniform_float64").get<std::string>()));
  EXPECT_EQ(gs::uniform_float32(strict, gs::strict), 0x0.ffffffp+0f);
}

}  // namespace
