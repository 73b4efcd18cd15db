#include "viewer/parameter_widget.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cstring>

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

bool edit_value(const workbook::parameter& p, const workbook::integer&, std::string& text, std::string& error) {
  std::array<char, 64> buffer{};
  text.copy(buffer.data(), buffer.size() - 1);
  ImGui::InputText("##value", buffer.data(), buffer.size());
  text = buffer.data();
  const bool is_right = right(p, text, error);
  return ImGui::IsItemDeactivatedAfterEdit() && is_right;
}

bool edit_value(const workbook::parameter& p, const workbook::real& r, std::string& text, std::string& error) {
  double value = r.default_value;
  if (right(p, text, error)) value = std::get<double>(workbook::parse_value(p, text));
  const std::string format = r.unit.empty() ? "%.4g" : "%.4g " + r.unit;
  if (!ImGui::SliderScalar("##value", ImGuiDataType_Double, &value, &r.min, &r.max, format.c_str(),
                           ImGuiSliderFlags_AlwaysClamp))
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
