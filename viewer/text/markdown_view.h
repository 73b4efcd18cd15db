#pragma once
// A Markdown text in the window: headings, paragraphs, lists, code, tables and pictures.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/text/markdown.h"
#include "viewer/text/picture_store.h"
#include "viewer/theme.h"

namespace viewer {

class markdown_view {
 public:
  markdown_view() = default;
  /// `folder` is where the text's pictures are looked up.
  markdown_view(std::string_view text, std::filesystem::path folder);

  /// Draws it at ImGui's cursor, as wide as there is room but not wider than can be read well. Returns the link that
  /// was pressed, or nothing.
  std::string draw(const theme& look, picture_store& pictures) const;

  /// Leaves out the heading that the text begins with, if it is shown elsewhere.
  void leave_out_title();

  const std::vector<text_block>& blocks() const { return blocks_; }

 private:
  std::vector<text_block> blocks_;
  std::filesystem::path folder_;
};

/// Runs of text at ImGui's cursor, wrapped at `width` pixels; `usual` is the font of what is neither bold nor code.
/// Returns the link that was pressed, or nothing.
std::string draw_runs(const runs& text_runs, const theme& look, float width, ImFont* usual);

}  // namespace viewer
