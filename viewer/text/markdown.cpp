#include "viewer/text/markdown.h"

#include <fmt/format.h>
#include <md4c.h>

#include <utility>

namespace viewer {
namespace {

using kind = block_kind;

constexpr std::size_t longest_link = 2048;  // every run of its text holds it

// Collects what md4c reports. A block begins when its first text comes, so that an item's paragraph is the item.
struct collector {
  std::vector<text_block> blocks;
  text_run now;            // the style of the next text
  std::vector<int> lists;  // per list that is open: the next number, or -1 for bullets
  std::string marker;      // of the item that has begun and has no text yet
  bool in_table = false;
  bool in_image = false;

  void begin(text_block b) { blocks.push_back(std::move(b)); }

  void begin_text() {
    if (in_table) return;
    if (lists.empty()) {
      begin({.kind = kind::paragraph});
    } else {
      begin({.kind = kind::item, .level = static_cast<int>(lists.size()), .marker = marker});
      marker.clear();
    }
  }

  runs& current() {
    if (in_table) return blocks.back().rows.back().back();
    return blocks.back().runs;
  }

  void add(std::string_view text) {
    if (blocks.empty() || text.empty()) return;
    if (blocks.back().kind == kind::code) {
      blocks.back().code += text;
      return;
    }
    runs& paragraph = current();
    if (paragraph.empty() || !paragraph.back().is_set_like(now)) paragraph.push_back(now);
    paragraph.back().text += text;
  }
};

std::string text_of(const MD_ATTRIBUTE& a) { return std::string(a.text, a.size); }

int enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
  auto& c = *static_cast<collector*>(user);
  switch (type) {
    case MD_BLOCK_H:
      c.begin({.kind = kind::heading, .level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level)});
      break;
    case MD_BLOCK_P:
      c.begin_text();
      break;
    case MD_BLOCK_UL:
      c.lists.push_back(-1);
      break;
    case MD_BLOCK_OL:
      c.lists.push_back(static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start));
      break;
    case MD_BLOCK_LI:
      c.marker = c.lists.back() < 0 ? "•" : fmt::format("{}.", c.lists.back()++);
      // In a tight list the text is in the item itself.
      if (static_cast<MD_BLOCK_LI_DETAIL*>(detail)) c.begin_text();
      break;
    case MD_BLOCK_CODE:
      c.begin({.kind = kind::code});
      break;
    case MD_BLOCK_HR:
      c.begin({.kind = kind::rule});
      break;
    case MD_BLOCK_TABLE:
      c.begin({.kind = kind::table});
      c.in_table = true;
      break;
    case MD_BLOCK_TR:
      c.blocks.back().rows.emplace_back();
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      c.blocks.back().rows.back().emplace_back();
      break;
    default:
      break;
  }
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* user) {
  auto& c = *static_cast<collector*>(user);
  if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) c.lists.pop_back();
  if (type == MD_BLOCK_TABLE) c.in_table = false;
  return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* user) {
  auto& c = *static_cast<collector*>(user);
  if (type == MD_SPAN_STRONG) c.now.bold = true;
  if (type == MD_SPAN_EM) c.now.italic = true;
  if (type == MD_SPAN_CODE) c.now.code = true;
  if (type == MD_SPAN_A) {
    c.now.link = text_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
    if (c.now.link.size() > longest_link) c.now.link.clear();
  }
  if (type == MD_SPAN_IMG && !c.in_table) {
    c.in_image = true;
    const std::string file = text_of(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
    // A picture is in a paragraph of its own, whose block becomes the picture's.
    if (!c.blocks.empty() && c.blocks.back().kind == kind::paragraph && c.blocks.back().runs.empty())
      c.blocks.back() = {.kind = kind::image, .code = file};
    else
      c.begin({.kind = kind::image, .code = file});
  }
  return 0;
}

int leave_span(MD_SPANTYPE type, void*, void* user) {
  auto& c = *static_cast<collector*>(user);
  if (type == MD_SPAN_STRONG) c.now.bold = false;
  if (type == MD_SPAN_EM) c.now.italic = false;
  if (type == MD_SPAN_CODE) c.now.code = false;
  if (type == MD_SPAN_A) c.now.link.clear();
  if (type == MD_SPAN_IMG && c.in_image) {
    c.in_image = false;
    c.begin_text();
  }
  return 0;
}

int take_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  auto& c = *static_cast<collector*>(user);
  const std::string_view piece(text, size);
  if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
    c.add(" ");
  else if (type == MD_TEXT_ENTITY)
    c.add(piece == "&lt;" ? "<" : piece == "&gt;" ? ">" : piece == "&amp;" ? "&" : piece);
  else
    c.add(piece);
  return 0;
}

}  // namespace

std::vector<text_block> read_markdown(std::string_view text) {
  collector c;
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = take_text;
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &c);
  // Where an item's text stood in a paragraph, the item's own block stayed empty and hands its marker on.
  std::vector<text_block> blocks;
  std::string marker;
  for (text_block& b : c.blocks) {
    const bool text_only = b.kind == kind::paragraph || b.kind == kind::item;
    if (text_only && b.runs.empty()) {
      if (!b.marker.empty()) marker = b.marker;
      continue;
    }
    if (b.kind == kind::item && b.marker.empty()) b.marker = std::exchange(marker, "");
    blocks.push_back(std::move(b));
  }
  return blocks;
}

}  // namespace viewer
