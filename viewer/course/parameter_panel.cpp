#include "viewer/course/parameter_panel.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "runtime/core/error.h"
#include "viewer/parameter_widget.h"

namespace viewer {
namespace {

std::string cpp_number(long long n) {
  std::string digits = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (n < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), "'");
  return digits;
}

// As it would be typed on a command line.
std::string typed(const workbook::parameter_value& v) {
  if (const auto* i = std::get_if<long long>(&v)) return std::to_string(*i);
  if (const auto* d = std::get_if<double>(&v)) return fmt::format("{}", *d);
  return std::get<std::string>(v);
}

bool is_guess(const workbook::prediction& p, const std::string& text) {
  try {
    parse_guess(p, text);
    return true;
  } catch (const gs::error&) {
    return false;
  }
}

}  // namespace

parameter_panel::parameter_panel(std::vector<workbook::parameter> declared,
                                 std::vector<workbook::prediction> predictions)
    : chosen_(std::move(declared), std::move(predictions)), usual_(chosen_), guesses_(chosen_.predictions().size()) {}

void parameter_panel::reset() {
  chosen_ = usual_;
  typed_.clear();
  errors_.clear();
}

void parameter_panel::take(const std::vector<std::string>& options) {
  typed_.clear();
  for (std::size_t k = 0; k + 1 < options.size(); k += 2) {
    const std::string name = options[k].substr(2);
    for (std::size_t q = 0; q < guesses_.size(); ++q)
      if (name == "guess-" + chosen_.predictions()[q].name) guesses_[q] = options[k + 1];
    try {
      if (name == "seed")
        chosen_.set_seed(workbook::parse_seed(options[k + 1]));
      else
        chosen_.set(name, options[k + 1]);
    } catch (const gs::error&) {  // the lesson has been edited: its default is taken
    }
  }
}

void parameter_panel::draw(const theme& look) {
  const float width = look.px(340);
  for (const workbook::parameter& p : chosen_.declared()) {
    const std::string& name = name_of(p);
    const auto shown = typed_.try_emplace(name, typed(chosen_.value(name))).first;
    if (edit(look, p, shown->second, errors_[name], width)) chosen_.set(name, shown->second);
  }
  auto seed = static_cast<unsigned long long>(chosen_.seed());
  ImGui::SetNextItemWidth(look.px(160));
  if (ImGui::InputScalar("seed", ImGuiDataType_U64, &seed)) chosen_.set_seed(seed);
}

void parameter_panel::draw_questions(const theme& look) {
  for (std::size_t k = 0; k < guesses_.size(); ++k) {
    const workbook::prediction& p = chosen_.predictions()[k];
    ImGui::TextWrapped("%s", p.question.c_str());
    ImGui::SetNextItemWidth(look.px(160));
    ImGui::InputTextWithHint(("##" + p.name).c_str(), "your guess", &guesses_[k]);
    ImGui::SameLine();
    ImGui::TextUnformatted(p.unit.c_str());
    if (!guesses_[k].empty() && !is_guess(p, guesses_[k])) {
      ImGui::PushStyleColor(ImGuiCol_Text, look.bad);
      ImGui::TextUnformatted("a number is asked for: 1e5, 100k, 2.5M");
      ImGui::PopStyleColor();
    }
  }
}

std::vector<std::string> parameter_panel::options() const {
  std::vector<std::string> options;
  for (const workbook::parameter& p : chosen_.declared())
    if (chosen_.value(name_of(p)) != usual_.value(name_of(p))) {
      options.push_back("--" + name_of(p));
      options.push_back(typed(chosen_.value(name_of(p))));
    }
  for (std::size_t k = 0; k < guesses_.size(); ++k)
    if (is_guess(chosen_.predictions()[k], guesses_[k])) {
      options.push_back("--guess-" + chosen_.predictions()[k].name);
      options.push_back(guesses_[k]);
    }
  if (chosen_.seed() != usual_.seed()) {
    options.push_back("--seed");
    options.push_back(std::to_string(chosen_.seed()));
  }
  return options;
}

std::string parameter_panel::as_cpp() const {
  std::string out;
  for (const workbook::parameter& p : chosen_.declared()) {
    const workbook::parameter_value& v = chosen_.value(name_of(p));
    std::string value, type;
    if (const auto* i = std::get_if<long long>(&v)) {
      const bool count = std::get<workbook::integer>(p).min >= 0;
      type = count ? "std::size_t" : "long long";
      value = cpp_number(*i);
    } else if (const auto* d = std::get_if<double>(&v)) {
      type = "double";
      value = fmt::format("{}", *d);
    } else {
      type = "const char*";
      value = fmt::format("\"{}\"", std::get<std::string>(v));
    }
    out += fmt::format("constexpr {} {} = {};  // {}\n", type, name_of(p), value, text_of(p));
  }
  return out + fmt::format("constexpr std::uint64_t seed = {};\n", chosen_.seed());
}

}  // namespace viewer
