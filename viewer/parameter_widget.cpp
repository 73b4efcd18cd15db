#include "viewer/parameter_widget.h"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "runtime/core/error.h"
#include "viewer/widgets.h"

namespace viewer {
namespace {

// Whether the text is a value of the parameter; if it isn't, `error` says why.
bool right(const workbook::parameter& p, const std::string& text, std::string& error) {
  try {
    workbook::parse_value(p, text);
    error.clear();
    return true;
  } catch (const gs::error& e) {
    error = e.what();
    return false;
  }
}

// Across more than three powers of ten, a linear slider is of no use.
ImGuiSliderFlags slider_flags(double min, double max) {
  const bool wide = min >= 0 && max > 1000 * std::max(min, 1e-3);
  return ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0);
}

// A field, where 1e6 and 100k are understood, and a slider beside it if there is room for both.
bool edit_value(const workbook::parameter& p, const workbook::integer& i, std::string& text, std::string& error) {
  const float width = ImGui::CalcItemWidth(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const bool both = width > 10 * ImGui::GetFontSize();
  if (both) ImGui::SetNextItemWidth(width * 0.4f);
  ImGui::InputText("##value", &text);
  bool finished = ImGui::IsItemDeactivatedAfterEdit();
  if (both) {
    long long value = right(p, text, error) ? std::get<long long>(workbook::parse_value(p, text)) : i.default_value;
    ImGui::SameLine(0, gap);
    ImGui::SetNextItemWidth(width * 0.6f - gap);
    if (ImGui::SliderScalar("##slider", ImGuiDataType_S64, &value, &i.min, &i.max, "",
                            slider_flags(static_cast<double>(i.min), static_cast<double>(i.max))))
      text = std::to_string(std::clamp(value, i.min, i.max));
    finished |= ImGui::IsItemDeactivatedAfterEdit();
  }
  return right(p, text, error) && finished;
}

bool edit_value(const workbook::parameter& p, const workbook::real& r, std::string& text, std::string& error) {
  double value = r.default_value;
  if (right(p, text, error)) value = std::get<double>(workbook::parse_value(p, text));
  const std::string format = r.unit.empty() ? "%.4g" : "%.4g " + r.unit;
  if (!ImGui::SliderScalar("##value", ImGuiDataType_Double, &value, &r.min, &r.max, format.c_str(),
                           slider_flags(r.min, r.max)))
    return false;
  text = fmt::format("{}", value);
  return right(p, text, error);
}

bool edit_value(const workbook::parameter&, const workbook::choice& c, std::string& text, std::string& error) {
  error.clear();
  bool changed = false;
  if (!ImGui::BeginCombo("##value", text.c_str())) return false;
  for (const std::string& word : c.choices)
    if (ImGui::Selectable(word.c_str(), word == text)) {
      changed = word != text;
      text = word;
    }
  ImGui::EndCombo();
  return changed;
}

}  // namespace

bool edit(const theme& look, const workbook::parameter& p, std::string& text, std::string& error, float width) {
  const std::string& name = workbook::name_of(p);
  ImGui::PushID(name.c_str());
  ImGui::BeginGroup();
  ImGui::AlignTextToFramePadding();
  viewer::text(look.text, look.faint_ink, name);
  ImGui::SameLine();
  const float used = ImGui::GetItemRectSize().x + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetNextItemWidth(std::max(width - used, look.px(48)));
  const bool wrong = !error.empty();
  if (wrong) ImGui::PushStyleColor(ImGuiCol_Border, look.bad);
  const bool changed = std::visit([&](const auto& declared) { return edit_value(p, declared, text, error); }, p);
  if (wrong) ImGui::PopStyleColor();
  ImGui::EndGroup();
  ImGui::PopID();
  tip(wrong ? error : fmt::format("{}: {}", workbook::text_of(p), workbook::range_of(p)));
  return changed;
}

}  // namespace viewer
