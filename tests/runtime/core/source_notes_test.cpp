// What a note says, and notes that can't be understood.

#include "runtime/core/source_notes.h"

#include <gtest/gtest.h>

namespace source_notes_test {

gs::detail::source_notes notes_of(std::string_view text) {
  gs::detail::source_notes notes;
  notes.add(text);
  return notes;
}

TEST(source_notes, are_read_file_by_file) {
  const gs::detail::source_notes notes = notes_of(
      "source_notes\t1\nfile\ta.cpp\naccess\t3:7\t\tA(i, j)\tA\ti\tj\naccess\t4:2\t&\tload(x, i)\nname\t5:9\tx\n"
      "array\t6:4\ty\t8\nbarrier\t10:3\nblocks\t12:20\nfile\tb.cpp\ncasts\t3:5\n");
  ASSERT_NE(notes.access_at({"a.cpp", 3, 7}), nullptr);
  const gs::detail::noted_access& access = *notes.access_at({"a.cpp", 3, 7});
  EXPECT_EQ(access.text, "A(i, j)");
  EXPECT_EQ(access.object, "A");
  EXPECT_EQ(access.indices, (std::vector<std::string>{"i", "j"}));
  EXPECT_FALSE(access.takes_address);
  ASSERT_NE(notes.access_at({"a.cpp", 4, 2}), nullptr);
  EXPECT_TRUE(notes.access_at({"a.cpp", 4, 2})->takes_address);
  EXPECT_EQ(notes.access_at({"a.cpp", 4, 2})->object, "");
  EXPECT_EQ(notes.access_at({"a.cpp", 3, 8}), nullptr);
  EXPECT_EQ(notes.access_at({"b.cpp", 3, 7}), nullptr);
  EXPECT_EQ(notes.name_at({"a.cpp", 5, 9}), "x");
  EXPECT_EQ(notes.name_at({"a.cpp", 5, 8}), "");
  for (const unsigned line : {5u, 6u, 8u, 9u})
    EXPECT_EQ(notes.arrays_in("a.cpp", line).size(), line >= 6 && line <= 8 ? 1u : 0u) << line;
  EXPECT_TRUE(notes.has_barrier("a.cpp", 9, 10));
  EXPECT_FALSE(notes.has_barrier("a.cpp", 11, 30));
  EXPECT_FALSE(notes.has_barrier("b.cpp", 9, 10));
  EXPECT_TRUE(notes.is_in_block_style("a.cpp", 12));
  EXPECT_FALSE(notes.is_in_block_style("a.cpp", 21));
  EXPECT_TRUE(notes.has_casts("b.cpp", 5));
  EXPECT_FALSE(notes.has_casts("b.cpp", 6));
  EXPECT_TRUE(notes.has_casts("b.cpp"));
  EXPECT_FALSE(notes.has_casts("a.cpp"));
}

TEST(source_notes, without_a_note_are_empty) {
  EXPECT_TRUE(gs::detail::source_notes().empty());
  EXPECT_FALSE(notes_of("source_notes\t1\n").empty());
}

TEST(source_notes, leave_out_what_they_do_not_understand) {
  for (const char* text : {"", "\n", "access\t3:7\t\tA\n", "file\ta.cpp\naccess\n", "file\ta.cpp\naccess\t3:7\n",
                           "file\ta.cpp\naccess\t3\t\tA\n", "file\ta.cpp\naccess\t3:\t\tA\n",
                           "file\ta.cpp\naccess\tx:7\t\tA\n", "file\ta.cpp\naccess\t99999999999:7\t\tA\n",
                           "file\ta.cpp\tb\naccess\t3:7\t\tA\n", "file\ta.cpp\nother\t3:7\t\tA\n"}) {
    const gs::detail::source_notes notes = notes_of(text);
    EXPECT_EQ(notes.access_at({"a.cpp", 3, 7}), nullptr) << text;
    EXPECT_EQ(notes.arrays_in("a.cpp", 3).size(), 0u) << text;
  }
}

// Compiled without the plugin, in most builds: the name of an array is a matter of the checked flavour.
TEST(source_notes, of_this_program_can_be_asked_for) {
  EXPECT_EQ(gs::detail::source_notes::of_loaded_code(), gs::detail::source_notes::of_loaded_code()) << "read once";
  EXPECT_EQ(gs::detail::source_notes::of_loaded_code()->access_at({"no such file.cpp", 1, 1}), nullptr);
}

}  // namespace source_notes_test
