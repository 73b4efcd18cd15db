#pragma once
// A Markdown text as blocks of runs of text: what the lessons' READMEs consist of, read by md4c (CommonMark with
// tables).

#include <string>
#include <string_view>
#include <vector>

namespace viewer {

/// A piece of text of one kind.
struct text_run {
  std::string text = {};
  bool bold = false;
  bool italic = false;
  bool code = false;
  std::string link = {};  ///< where it leads, at most 2,048 bytes; empty: nowhere

  bool is_set_like(const text_run& r) const {
    return bold == r.bold && italic == r.italic && code == r.code && link == r.link;
  }
  friend bool operator==(const text_run&, const text_run&) = default;
};
using runs = std::vector<text_run>;

enum class block_kind { heading, paragraph, item, code, table, image, rule };

struct text_block {
  block_kind kind = block_kind::paragraph;
  int level = 0;                                     ///< heading: 1 to 6; item: how deep, from 1
  std::string marker = {};                           ///< item: "•" or "3."; empty for what follows in the same item
  viewer::runs runs = {};                            ///< heading, paragraph, item; image: what it shows, in words
  std::string code = {};                             ///< code: the lines, each with its end; image: its file
  std::vector<std::vector<viewer::runs>> rows = {};  ///< table: the head first
};

std::vector<text_block> read_markdown(std::string_view text);

}  // namespace viewer
