#include "viewer/pages/instruments_page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/core/error.h"
#include "viewer/course/lesson_list.h"
#include "viewer/course/line_cost.h"
#include "viewer/course/shown_course.h"
#include "viewer/widgets.h"
#include "workbook/number_text.h"
#include "workbook/time_bound_text.h"

namespace viewer {
namespace {

constexpr float narrow_room = 760;     // points
constexpr float smallest_fit = 0.75f;  // of the access picture's own size

// Findings, and lines that cost more than they must.
std::multimap<int, line_note> notes_in(const std::filesystem::path& source, const gs::inspection& found) {
  std::multimap<int, line_note> notes;
  const auto note_at = [&](const gs::source_place& place, gravity grave, const std::string& text) {
    if (is_source(place.file, source)) notes.emplace(static_cast<int>(place.line), line_note{grave, text});
  };
  const auto grouped = [](std::uint64_t n) { return workbook::grouped(static_cast<long long>(n)); };
  for (const gs::finding& f : found.findings) {
    note_at(f.access.where, gravity::error, f.meaning);
    if (f.other) note_at(f.other->where, gravity::error, f.meaning);
  }
  for (const gs::line_counters& l : found.lines)
    if (const line_cost cost = cost_of(l); cost.is_high())
      note_at(l.where, gravity::warning,
              fmt::format("{} {} of {} ideal", grouped(cost.cost), cost.unit, grouped(cost.ideal)));
  return notes;
}

}  // namespace

bool instruments_page::busy() const {
  if (access_ && access_->working()) return true;
  return !subject_.empty() || (run_ && (!state_ || state_->stage == run_stage::running));
}

void instruments_page::choose(const workbook::catalogue_entry& entry, context& c) {
  lesson_ = entry;
  sources_ = sources_of(entry, c);
  source_ = source_view(sources_.front());
  run_.reset();
  state_.reset();
  item_.reset();
  found_ = nullptr;
  access_.reset();
}

void instruments_page::inspect(context& c) {
  // The launcher builds the checked flavour first, which the inspection needs.
  item_.reset();
  found_ = nullptr;
  access_.reset();
  state_.reset();
  try {
    run_ = std::make_unique<lesson_run>(lesson_run::command{inspect_command(*lesson_, c), {}}, c.wake);
  } catch (const gs::error& e) {
    c.status = e.what();
  }
}

void instruments_page::take_result() {
  if (!run_) return;
  state_ = run_->state();
  for (const auto& item : state_->items) {
    const auto* entry = std::get_if<workbook::inspection_entry>(item.get());
    if (entry == nullptr || item == item_) continue;
    item_ = item;
    found_ = &entry->result;
    show_source(source_.file());
    // What is most worth seeing comes last.
    if (!found_->lines.empty()) go_to(found_->lines.front().where);
    if (!found_->pictures.empty()) choose_picture(0, 0);
    if (!found_->findings.empty()) go_to(found_->findings.front().access.where);
  }
}

void instruments_page::show_source(std::filesystem::path source) {
  auto notes = notes_in(source, *found_);
  source_ = source_view(std::move(source));
  source_.set_notes(std::move(notes));
}

// Shows the line, if it is in one of the program's sources.
void instruments_page::go_to(const gs::source_place& place) {
  const auto source = std::ranges::find_if(sources_, [&](const auto& s) { return is_source(place.file, s); });
  if (source == sources_.end()) return;
  if (*source != source_.file()) show_source(*source);
  source_.go_to(static_cast<int>(place.line));
}

void instruments_page::draw(context& c) {
  if (course_.empty()) course_ = shown_course(c);
  if (c.own && !lesson_) choose(lesson_of("", course_, c), c);
  if (!subject_.empty()) {
    try {
      choose(lesson_of(subject_, course_, c), c);
      inspect(c);
    } catch (const gs::error& e) {
      c.status = e.what();
    }
    subject_.clear();
  }
  take_result();
  draw_choice(c);
  if (!lesson_) {
    note(c.look, "Choose a lesson whose kernels are to be observed: every access, race and barrier, by line.");
    return;
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool wide = room.x > c.look.px(narrow_room);
  ImGui::BeginChild("source pane", ImVec2(wide ? room.x / 2 - c.look.px(6) : 0, wide ? 0 : room.y / 2));
  draw_source(c);
  ImGui::EndChild();
  if (wide) ImGui::SameLine(0, c.look.px(12));
  ImGui::BeginChild("found", ImVec2(0, 0));
  if (found_ != nullptr && ImGui::BeginTabBar("parts")) {
    if (ImGui::BeginTabItem(fmt::format("Findings ({})###Findings", found_->findings.size()).c_str())) {
      draw_findings(c);
      ImGui::EndTabItem();
    }
    const bool wanted = std::exchange(counters_wanted_, false);
    if (ImGui::BeginTabItem("Counters", nullptr, wanted ? ImGuiTabItemFlags_SetSelected : 0)) {
      draw_counters(c);
      ImGui::EndTabItem();
    }
    if (ImGui::BeginTabItem("Accesses")) {
      draw_picture(c);
      ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
  }
  ImGui::EndChild();
}

void instruments_page::draw_choice(context& c) {
  if (c.own) {
    ImGui::AlignTextToFramePadding();
    text(c.look.bold, c.look.ink, lesson_->name);
  } else {
    if (const auto* const pressed = draw_lesson_list(c.look, course_, lesson_)) choose(*pressed, c);
  }
  if (!lesson_) return;
  ImGui::SameLine();
  if (busy()) {
    if (ImGui::Button("Cancel")) run_->cancel();
    ImGui::SameLine();
    busy_sign(c.look, state_ && !state_->items.empty() ? "observing every access" : "building and observing");
  } else if (main_button(c.look, "Inspect")) {
    inspect(c);
  }
  if (state_ && (state_->stage == run_stage::failed || state_->stage == run_stage::cancelled)) {
    text(c.look.text, c.look.bad, state_->message);
    if (!state_->output.empty()) text(c.look.code, c.look.faint_ink, state_->output);
  }
}

void instruments_page::draw_source(context& c) {
  source_.reload_if_changed();
  source_.draw("source", ImGui::GetContentRegionAvail(), c.look);
}

void instruments_page::draw_meaning_of_marks(context& c) {
  text(c.look.text, c.look.warning,
       "Lines marked in this colour are no faults: their accesses cost more than they must.");
  counters_wanted_ = ImGui::SmallButton("The cost of each line");
}

void instruments_page::draw_findings(context& c) {
  ImGui::BeginChild("findings");
  if (found_->findings.empty()) text(c.look.text, c.look.good, "✓  The instruments found nothing.");
  // Marks beside "found nothing" would look like findings that are kept back.
  if (std::ranges::any_of(found_->lines, [](const gs::line_counters& l) { return cost_of(l).is_high(); }))
    draw_meaning_of_marks(c);
  int id = 0;
  for (const gs::finding& f : found_->findings) {
    ImGui::PushID(id++);
    const card frame(c.look, ImGui::GetContentRegionAvail().x);
    const std::string place_text = f.access.kernel.empty() ? "" : " in " + f.access.kernel;
    text(c.look.bold, c.look.bad, in_words(to_string(f.kind)) + place_text);
    for (const gs::finding_access* a : {&f.access, f.other ? &*f.other : nullptr}) {
      if (a == nullptr) continue;
      ImGui::PushID(a);
      if (ImGui::SmallButton(fmt::format("line {}", a->where.line).c_str())) go_to(a->where);
      ImGui::PopID();
      ImGui::SameLine();
      text(c.look.text, c.look.ink,
           fmt::format("{} by block ({}, {}, {}), thread ({}, {}, {})", to_string(a->kind), a->block.x, a->block.y,
                       a->block.z, a->thread.x, a->thread.y, a->thread.z));
    }
    if (!f.meaning.empty()) text(c.look.text, c.look.ink, f.meaning);
    if (!f.hint.empty()) text(c.look.text, c.look.faint_ink, f.hint);
    ImGui::PopID();
  }
  ImGui::EndChild();
}

void instruments_page::draw_bounds(context& c) {
  std::set<std::string_view> kernels;
  for (const gs::kernel_counters& k : found_->kernels) {
    if (!kernels.insert(k.kernel).second) continue;
    if (const std::string bound = workbook::time_bound_text(*found_, k.kernel); !bound.empty())
      note(c.look, k.kernel + ": " + bound);
  }
}

void instruments_page::draw_counters(context& c) {
  draw_costs(c);
  draw_bounds(c);
}

// As high as its lines, but in a small window not so high that nothing is left for the bounds below.
void instruments_page::draw_costs(context& c) {
  const float lines = static_cast<float>(found_->lines.size() + 1);
  const float whole = lines * (ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y) +
                      ImGui::GetStyle().ScrollbarSize + c.look.px(2);
  const float most = std::max(ImGui::GetContentRegionAvail().y * 0.65f, c.look.px(120));
  const ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX |
                                ImGuiTableFlags_SizingFixedFit;
  if (!ImGui::BeginTable("counters", 8, flags, ImVec2(0, std::min(whole, most)))) return;
  ImGui::TableSetupScrollFreeze(1, 1);
  for (const char* head : {"line", "access", "cost", "ideal", "times ideal", "active lanes", "requests", "kernel"})
    ImGui::TableSetupColumn(head);
  ImGui::TableHeadersRow();
  int id = 0;
  for (const gs::line_counters& l : found_->lines) {
    ImGui::PushID(id++);
    const double times = cost_of(l).times_ideal();
    const line_cost cost = cost_of(l);
    ImGui::TableNextColumn();
    if (ImGui::Selectable(fmt::format("{}", l.where.line).c_str(), false, ImGuiSelectableFlags_SpanAllColumns)) {
      go_to(l.where);
      for (std::size_t k = 0; k < found_->pictures.size(); ++k)
        if (found_->pictures[k].where == l.where && found_->pictures[k].kernel == l.kernel) choose_picture(k, 0);
    }
    const auto cell = [&](const std::string& shown, ImU32 ink) {
      ImGui::TableNextColumn();
      ImGui::PushStyleColor(ImGuiCol_Text, ink);
      unformatted(shown);
      ImGui::PopStyleColor();
    };
    const auto grouped = [](std::uint64_t n) { return workbook::grouped(static_cast<long long>(n)); };
    cell(fmt::format("{} {}", to_string(l.kind), l.array), c.look.ink);
    cell(fmt::format("{} {}", grouped(cost.cost), cost.unit), c.look.ink);
    cell(grouped(cost.ideal), c.look.faint_ink);
    cell(workbook::significant(times, 3), cost.is_high() ? c.look.warning : c.look.good);
    cell(workbook::significant(l.active_lanes(), 3), l.active_lanes() < 29 ? c.look.warning : c.look.ink);
    cell(grouped(l.requests), c.look.ink);
    cell(l.kernel, c.look.ink);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

void instruments_page::choose_picture(std::size_t picture, std::size_t request) {
  picture_ = picture;
  request_ = request;
  const gs::warp_picture& warp = found_->pictures[picture];
  go_to(warp.where);
  // Local memory has neither sectors nor banks of its own.
  if (request >= warp.requests.size() || warp.requests[request].space == gs::memory_space::local) {
    access_.reset();
    return;
  }
  workbook::access_picture shown{
      .title = fmt::format("{} of {} in line {}", to_string(warp.requests[request].kind),
                           warp.expression.empty() ? warp.array : warp.expression, warp.where.line),
      .warp = warp,
      .request = request};
  access_.emplace(std::make_shared<const workbook::plot>(std::move(shown)));
}

// To the next or previous request, across lines.
void instruments_page::step(int requests) {
  const auto last_of = [&](std::size_t picture) { return found_->pictures[picture].requests.size() - 1; };
  if (requests > 0 && request_ < last_of(picture_))
    choose_picture(picture_, request_ + 1);
  else if (requests > 0 && picture_ + 1 < found_->pictures.size())
    choose_picture(picture_ + 1, 0);
  else if (requests < 0 && request_ > 0)
    choose_picture(picture_, request_ - 1);
  else if (requests < 0 && picture_ > 0)
    choose_picture(picture_ - 1, last_of(picture_ - 1));
}

void instruments_page::draw_picture(context& c) {
  if (found_->pictures.empty()) {
    note(c.look, "No warp has touched an array.");
    return;
  }
  if (ImGui::ArrowButton("previous", ImGuiDir_Left)) step(-1);
  ImGui::SameLine();
  if (ImGui::ArrowButton("next", ImGuiDir_Right)) step(+1);
  ImGui::SameLine();
  const gs::warp_picture& warp = found_->pictures[picture_];
  text(c.look.text, c.look.ink,
       fmt::format("line {}, request {} of {}, in {}", warp.where.line, request_ + 1, warp.requests.size(),
                   warp.kernel));
  if (!access_) return note(c.look, "This one is local memory, which each thread has to itself.");
  // Scaled to fit a narrow pane, its numbers would be unreadable.
  ImGui::BeginChild("picture", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const workbook::picture_size whole = size_of(access_->shown());
  const auto least = [&](double points) { return c.look.px(smallest_fit * static_cast<float>(points)); };
  access_->draw("##access", {std::max(room.x, least(whole.width)), std::max(room.y, least(whole.height))}, c.look);
  ImGui::EndChild();
}

}  // namespace viewer
