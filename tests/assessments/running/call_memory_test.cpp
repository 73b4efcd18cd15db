// The layout of a call's arrays, the patterns in and around its outputs, and that every change to them is noticed.

#include "assessments/grader/running/call_memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "tests/runtime/refused.h"

namespace call_memory_test {

using grader::array_role;
using grader::call_memory;
using grader::call_plan;
using runtime_test::refused;
constexpr auto nowhere = runner::argument_place::nowhere;

call_plan plan(std::size_t n) {
  return {.arrays = {{"x", array_role::host_input, {n}},
                     {"held", array_role::device_input, {n}},
                     {"out", array_role::device_output, {n, 3}},
                     {"y", array_role::host_output, {n}, 8}},
          .numbers = {2.5}};
}

struct memories {
  explicit memories(std::size_t n) : call(plan(n)), inputs(call.inputs_bytes()), outputs(call.outputs_bytes()) {}
  call_memory call;
  std::vector<std::byte> inputs, outputs;
};

TEST(call_memory, keeps_arrays_apart_and_aligned) {
  for (const std::size_t n : {0u, 1u, 33u, 1009u}) {
    const memories m(n);
    const runner::request r = m.call.prepare();
    ASSERT_EQ(r.array_count, 4u);
    EXPECT_EQ(r.numbers[0], 2.5);
    EXPECT_EQ(r.arrays[0].out, nowhere);
    EXPECT_EQ(r.arrays[2].in, nowhere);
    EXPECT_EQ(r.arrays[2].rank, 2u);
    EXPECT_EQ(r.arrays[2].extents[1], 3u);
    EXPECT_EQ(r.arrays[1].guard, 0u);
    std::set<std::uint64_t> places;
    for (const auto& a : m.call.arrays()) {
      for (const std::uint64_t at : {a.in, a.out}) {
        EXPECT_EQ(at == nowhere ? 0 : at % 256, 0u);
      }
      if (!a.is_output()) continue;
      const std::uint64_t band = a.guard * a.plan.element_bytes;
      EXPECT_TRUE(band >= 256 && band <= 1024 && band % 256 == 0) << band;
      EXPECT_GE(a.out, band);
      EXPECT_LE(a.out + a.bytes() + band, m.outputs.size());
      EXPECT_TRUE(places.insert(a.out).second);
    }
  }
}

TEST(call_memory, poison_is_no_answer) {
  memories m(100);
  m.call.poison(m.outputs);
  const auto& out = m.call.arrays()[2];
  float as_float;
  unsigned as_number;
  std::memcpy(&as_float, m.outputs.data() + out.out, 4);
  std::memcpy(&as_number, m.outputs.data() + out.out, 4);
  EXPECT_TRUE(std::isnan(as_float));
  EXPECT_EQ(as_number & 0x00400000, 0u) << "a signalling one";
  EXPECT_EQ(as_number % 2, 1u);
  double as_double;
  std::memcpy(&as_double, m.outputs.data() + m.call.arrays()[3].out, 8);
  EXPECT_TRUE(std::isnan(as_double));
  const std::vector<std::byte> outputs_before = m.outputs;
  m.call.poison(m.outputs);
  EXPECT_NE(outputs_before, m.outputs);
}

TEST(call_memory, sees_every_byte_of_a_guard_band) {
  memories m(7);
  m.call.poison(m.outputs);
  EXPECT_FALSE(m.call.check_guards(m.outputs));
  for (const auto& a : m.call.arrays()) {
    if (!a.is_output()) continue;
    const std::size_t band = a.guard * a.plan.element_bytes;
    for (std::size_t k = 0; k < 2 * band; ++k) {
      const std::size_t at = k < band ? a.out - band + k : a.out + a.bytes() + k - band;
      m.outputs[at] ^= std::byte{1};
      const auto damage = m.call.check_guards(m.outputs);
      m.outputs[at] ^= std::byte{1};
      ASSERT_TRUE(damage) << a.plan.name << " " << k;
      EXPECT_EQ(damage->array, a.plan.name);
      const auto element = static_cast<std::ptrdiff_t>(k % band / a.plan.element_bytes);
      EXPECT_EQ(damage->offset, k < band ? element - static_cast<std::ptrdiff_t>(a.guard)
                                         : static_cast<std::ptrdiff_t>(a.size()) + element);
    }
    for (std::size_t k = 0; k < a.bytes(); ++k) m.outputs[a.out + k] ^= std::byte{0xff};
  }
  EXPECT_FALSE(m.call.check_guards(m.outputs)) << "the output itself may change";
}

TEST(call_memory, sees_a_changed_device_input) {
  memories m(50);
  const auto& held = m.call.arrays()[1];
  for (std::size_t k = 0; k < held.bytes(); ++k) m.outputs[held.out + k] = m.inputs[held.in + k] = std::byte(k);
  EXPECT_FALSE(m.call.check_inputs(m.inputs, m.outputs));
  m.outputs[held.out + 4 * 30 + 1] ^= std::byte{1};
  const auto changed = m.call.check_inputs(m.inputs, m.outputs);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->array, "held");
  EXPECT_EQ(changed->element, 30u);
}

TEST(call_memory, refuses_more_than_a_request_can_name) {
  call_plan plan;
  for (int k = 0; k < 7; ++k) plan.arrays.push_back({"x", array_role::host_input, {1}});
  EXPECT_TRUE(refused([&] { call_memory c(plan); },
                      {"call a submission: it takes 7 arrays and 0 numbers; plan at most 6 and 6"}));
  EXPECT_TRUE(refused([] { call_memory c({.arrays = {{"x", array_role::host_input, {}}}, .numbers = {}}); },
                      {"call a submission: its array x has 0 dimensions; plan one to three"}));
}

}  // namespace call_memory_test
