// g++'s messages, shortened to the learner's own file.

#include "workshop/compiler_messages.h"

#include <gtest/gtest.h>

namespace compiler_messages_test {

using gs::source_place;
using workshop::first_error;

const source_place nowhere{};

TEST(compiler_messages, are_placed_at_the_first_error) {
  EXPECT_EQ(first_error("a.cpp: In function 'f':\na.cpp:3:5: warning: w\na.cpp:4:7: error: e\na.cpp:9:1: error: f\n",
                        "a.cpp"),
            (source_place{"a.cpp", 4, 7}));
  EXPECT_EQ(first_error("./-a.cpp:4:7: fatal error: e\n", "-a.cpp"), (source_place{"-a.cpp", 4, 7}));
  EXPECT_EQ(first_error("a.cpp:4: error: e\n", "a.cpp"), (source_place{"a.cpp", 4, 0}));
  EXPECT_EQ(first_error("a.cpp(7): warning #1-D: w\na.cpp(8): error: e\n", "a.cpp"), (source_place{"a.cpp", 8, 0}));
  EXPECT_EQ(first_error("all is well\n", "a.cpp"), nowhere);
  EXPECT_EQ(first_error("", "a.cpp"), nowhere);
}

TEST(compiler_messages, in_a_header_are_placed_where_the_learner_led_there) {
  EXPECT_EQ(first_error(
                "runtime/x.h: In instantiation of 'f':\na.cpp:12:3:   required from here\nruntime/x.h:8:1: error: e\n",
                "a.cpp"),
            (source_place{"a.cpp", 12, 3}));
  EXPECT_EQ(first_error("In file included from a.cpp:2:\nx.h:1:1: error: e\n", "a.cpp"), (source_place{"a.cpp", 2, 0}));
  EXPECT_EQ(first_error("x.h:1:1: error: e\na.cpp:5:9: note: called here\n", "a.cpp"), (source_place{"a.cpp", 5, 9}));
  EXPECT_EQ(first_error("xa.cpp:1:1: error: e\n", "a.cpp"), nowhere) << "another file";
}

TEST(compiler_messages, are_shortened) {
  EXPECT_EQ(workshop::shortened("/tmp/f/a.cpp:1:2: error: e\n  /tmp/f/a.cpp\n", "/tmp/f"),
            "a.cpp:1:2: error: e\n  a.cpp\n");
  EXPECT_EQ(workshop::shortened("‘gs::plain::view<gs::checked::event>’ and gs::plainly::x\n", "/tmp/f"),
            "‘gs::view<gs::event>’ and gs::plainly::x\n");
  std::string messages;
  for (int k = 0; k < 130; ++k) messages += "line\n";
  const std::string cut = workshop::shortened(messages, "/tmp/f");
  EXPECT_EQ(cut.size(), 100 * 5 + std::string("... and 30 more lines\n").size());
  EXPECT_TRUE(cut.ends_with("... and 30 more lines\n"));
  EXPECT_EQ(workshop::first_error_text("a.cpp:1:2: warning: w\na.cpp:3:4: error: what it says\n"), "what it says");
  EXPECT_EQ(workshop::first_error_text("a.cpp:3:4: error: no ‘gs::plain::view<float>’\n"), "no ‘gs::view<float>’");
  EXPECT_EQ(workshop::first_error_text("nothing"), "");
}

}  // namespace compiler_messages_test
