// Markdown as the viewer reads it, and C++ as it colours it.

#include "viewer/text/markdown.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "viewer/text/cpp_colours.h"

namespace {

using viewer::cpp_part;
using viewer::cpp_span;
using viewer::read_markdown;
using viewer::runs;
using kind = viewer::block_kind;

TEST(markdown, has_headings_and_paragraphs) {
  const auto blocks = read_markdown("# One *two*\n\nText over\ntwo lines.\n\n### Three\n");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].kind, kind::heading);
  EXPECT_EQ(blocks[0].level, 1);
  EXPECT_EQ(blocks[0].runs, (runs{{.text = "One "}, {.text = "two", .italic = true}}));
  EXPECT_EQ(blocks[1].kind, kind::paragraph);
  EXPECT_EQ(blocks[1].runs, (runs{{.text = "Text over two lines."}}));
  EXPECT_EQ(blocks[2].level, 3);
}

TEST(markdown, has_runs_of_every_kind) {
  const auto blocks = read_markdown("a **b** `c < d` [e](f.md) &lt; \\* µ");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].runs, (runs{{.text = "a "},
                                  {.text = "b", .bold = true},
                                  {.text = " "},
                                  {.text = "c < d", .code = true},
                                  {.text = " "},
                                  {.text = "e", .link = "f.md"},
                                  {.text = " < * µ"}}));
}

TEST(markdown, has_lists_tight_loose_and_nested) {
  const auto blocks = read_markdown("3. one\n   - inner\n4. two\n\n\n- a\n\n- b\n\n  more of b\n");
  ASSERT_EQ(blocks.size(), 6u);
  for (const auto& b : blocks) EXPECT_EQ(b.kind, kind::item);
  EXPECT_EQ(blocks[0].marker, "3.");
  EXPECT_EQ(blocks[0].level, 1);
  EXPECT_EQ(blocks[1].marker, "•");
  EXPECT_EQ(blocks[1].level, 2);
  EXPECT_EQ(blocks[2].marker, "4.");
  EXPECT_EQ(blocks[2].runs[0].text, "two");
  EXPECT_EQ(blocks[3].marker, "•");
  EXPECT_EQ(blocks[3].runs[0].text, "a");
  EXPECT_EQ(blocks[4].marker, "•");
  EXPECT_EQ(blocks[5].marker, "") << "a second paragraph of the same item";
  EXPECT_EQ(blocks[5].runs[0].text, "more of b");
}

TEST(markdown, has_code_tables_and_pictures) {
  const auto blocks = read_markdown(
      "    x = 1;\n    y = <2>;\n\n```cpp\nint z;\n```\n\n| a | b |\n| --- | --- |\n| 1 | `2` |\n\n![what it "
      "shows](field.png)\n\nafter\n");
  ASSERT_EQ(blocks.size(), 5u);
  EXPECT_EQ(blocks[0].kind, kind::code);
  EXPECT_EQ(blocks[0].code, "x = 1;\ny = <2>;\n");
  EXPECT_EQ(blocks[1].code, "int z;\n");
  EXPECT_EQ(blocks[2].kind, kind::table);
  ASSERT_EQ(blocks[2].rows.size(), 2u);
  ASSERT_EQ(blocks[2].rows[1].size(), 2u);
  EXPECT_EQ(blocks[2].rows[0][0], (runs{{.text = "a"}}));
  EXPECT_EQ(blocks[2].rows[1][1], (runs{{.text = "2", .code = true}}));
  EXPECT_EQ(blocks[3].kind, kind::image);
  EXPECT_EQ(blocks[3].code, "field.png");
  EXPECT_EQ(blocks[3].runs, (runs{{.text = "what it shows"}}));
  EXPECT_EQ(blocks[4].kind, kind::paragraph);
}

TEST(markdown, takes_what_is_empty_or_odd) {
  EXPECT_TRUE(read_markdown("").empty());
  EXPECT_TRUE(read_markdown("\n\n  \n").empty());
  for (const char* odd :
       {"- ", "|", "| a |\n|---|", "```", "![](", "[a](b", "****", "# ", "1.\n2.\n", "> quote", "- - - a"})
    read_markdown(odd);
}

// Every text of the course: nothing of it gets lost.
TEST(markdown, keeps_every_word_of_the_lessons) {
  std::size_t texts = 0;
  for (const auto& folder : std::filesystem::directory_iterator(LESSON_SOURCES)) {
    std::ifstream in(folder.path() / "README.md");
    if (!in) continue;
    ++texts;
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto letters = [](const std::string& s) {
      return std::count_if(s.begin(), s.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
    };
    std::ptrdiff_t letters_shown = 0;
    const auto count = [&](const runs& text_runs) {
      for (const auto& r : text_runs) letters_shown += letters(r.text) + letters(r.link);
    };
    for (const auto& b : read_markdown(text)) {
      count(b.runs);
      letters_shown += letters(b.code);
      if (b.marker != "•") letters_shown += letters(b.marker);
      for (const auto& row : b.rows)
        for (const auto& cell : row) count(cell);
    }
    // Left out: the language behind ``` and nothing else.
    EXPECT_NEAR(static_cast<double>(letters_shown), static_cast<double>(letters(text)), 12) << folder.path();
  }
  EXPECT_GE(texts, 10u);
}

std::vector<std::pair<std::string, cpp_part>> parts_of(std::string_view line, bool in_comment = false) {
  std::vector<std::pair<std::string, cpp_part>> parts;
  for (const cpp_span& s : viewer::cpp_spans(line, in_comment))
    parts.emplace_back(line.substr(s.begin, s.size), s.part);
  return parts;
}

TEST(cpp_colours, tell_the_parts_of_a_line) {
  using parts = std::vector<std::pair<std::string, cpp_part>>;
  EXPECT_EQ(parts_of("const x = 1'000.5e+3f; // y"), (parts{{"const", cpp_part::keyword},
                                                            {" x = ", cpp_part::plain},
                                                            {"1'000.5e+3f", cpp_part::number},
                                                            {"; ", cpp_part::plain},
                                                            {"// y", cpp_part::comment}}));
  EXPECT_EQ(parts_of(R"(f("a\"//", 'b'))"), (parts{{"f(", cpp_part::plain},
                                                   {R"("a\"//")", cpp_part::text},
                                                   {", ", cpp_part::plain},
                                                   {"'b'", cpp_part::text},
                                                   {")", cpp_part::plain}}));
  EXPECT_EQ(parts_of("#include <vector>"), (parts{{"#include <vector>", cpp_part::directive}}));
  EXPECT_EQ(parts_of("constant"), (parts{{"constant", cpp_part::plain}})) << "only whole words";
  EXPECT_EQ(parts_of("\"open"), (parts{{"\"open", cpp_part::text}}));
  EXPECT_EQ(parts_of(""), parts{});
}

TEST(cpp_colours, know_comments_over_several_lines) {
  bool in_comment = false;
  viewer::cpp_spans("a /* b", in_comment);
  EXPECT_TRUE(in_comment);
  EXPECT_EQ(viewer::cpp_spans("all of it", in_comment), (std::vector<cpp_span>{{0, 9, cpp_part::comment}}));
  EXPECT_TRUE(in_comment);
  EXPECT_EQ(viewer::cpp_spans("c */ int", in_comment),
            (std::vector<cpp_span>{{0, 4, cpp_part::comment}, {4, 1, cpp_part::plain}, {5, 3, cpp_part::keyword}}));
  EXPECT_FALSE(in_comment);
}

// No letter of a line is in no part or in two.
TEST(cpp_colours, cover_every_line_of_the_lessons) {
  for (const auto& folder : std::filesystem::directory_iterator(LESSON_SOURCES)) {
    std::ifstream in(folder.path() / "lesson.cpp");
    bool in_comment = false;
    for (std::string line; std::getline(in, line);) {
      std::size_t at = 0;
      for (const cpp_span& s : viewer::cpp_spans(line, in_comment)) {
        EXPECT_EQ(s.begin, at);
        at += s.size;
      }
      EXPECT_EQ(at, line.size()) << line;
    }
    EXPECT_FALSE(in_comment) << folder.path();
  }
}

}  // namespace
