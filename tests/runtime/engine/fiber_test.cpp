#include "runtime/threads/fiber.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/core/config.h"

namespace {

// Two fibers and the test itself write to one log in turn.
struct conversation {
  gs::detail::fiber host;
  gs::detail::guarded_stack first_stack{16384}, second_stack{16384, 256};
  gs::detail::fiber first{first_stack}, second{second_stack};
  std::string log;
};

TEST(fiber, continues_where_it_was_left_with_what_it_had) {
  conversation c;
  c.first.begin_with(
      [](void* argument) {
        auto& talk = *static_cast<conversation*>(argument);
        double local_value = 0.5;
        for (int round = 0;; ++round) {
          local_value *= 2;
          talk.log += "a" + std::to_string(static_cast<int>(local_value)) + std::to_string(round);
          gs::detail::fiber::jump(talk.first, talk.second);
        }
      },
      &c);
  c.second.begin_with(
      [](void* argument) {
        auto& talk = *static_cast<conversation*>(argument);
        for (char letter = 'p';; ++letter) {
          talk.log += letter;
          gs::detail::fiber::jump(talk.second, letter % 2 == 0 ? talk.first : talk.host);
        }
      },
      &c);
  gs::detail::fiber::jump(c.host, c.first);
  EXPECT_EQ(c.log, "a10pa21q");
  gs::detail::fiber::jump(c.host, c.second);
  EXPECT_EQ(c.log, "a10pa21qra42s");
  EXPECT_TRUE(c.first.started());
  c.first.forget();
  EXPECT_FALSE(c.first.started());
}

TEST(fiber, may_begin_anew) {
  conversation c;
  for (int k = 0; k < 100; ++k) {
    c.first.begin_with(
        [](void* argument) {
          auto& talk = *static_cast<conversation*>(argument);
          talk.log += "x";
          gs::detail::fiber::jump(talk.first, talk.host);
        },
        &c);
    gs::detail::fiber::jump(c.host, c.first);
  }
  EXPECT_EQ(c.log, std::string(100, 'x'));
}

TEST(guarded_stack, is_usable_to_its_last_byte_and_guarded_below) {
  for (std::size_t bytes : {1, 4096, 100'000})
    for (std::size_t offset : {0, 256, 3840}) {
      gs::detail::guarded_stack stack(bytes, offset);
      EXPECT_GE(stack.size(), bytes);
      EXPECT_EQ(stack.bottom() + stack.size(), stack.top());
      *stack.bottom() = 1;
      *(stack.top() - 1) = 1;
      EXPECT_FALSE(stack.guards(stack.bottom()));
      EXPECT_TRUE(stack.guards(stack.bottom() - 1));
      EXPECT_FALSE(stack.guards(stack.top()));
    }
}

TEST(guarded_stack, many_cores_with_many_waiting_threads_have_enough) {  // more than the system keeps guards for
  std::vector<std::unique_ptr<gs::detail::guarded_stack>> stacks;
  for (int k = 0; k < 40'000; ++k) stacks.push_back(std::make_unique<gs::detail::guarded_stack>(8192));
  std::size_t guarded = 0;
  for (auto& stack : stacks) guarded += stack->guards(stack->bottom() - 1);
  EXPECT_GE(guarded, 16'384u) << "a cooperative launch has all of its stacks guarded";
  stacks.clear();
  gs::detail::guarded_stack second_stack(8192);
  EXPECT_TRUE(second_stack.guards(second_stack.bottom() - 1)) << "guards are given back";
}

}  // namespace
