#include "viewer/plot/save_dialog.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "viewer/widgets.h"

namespace viewer {
namespace {

namespace fs = std::filesystem;

fs::path path_of(const std::string& typed) {
  const char* home = std::getenv("HOME");
  if (typed.starts_with("~/") && home != nullptr) return fs::path(home) / typed.substr(2);
  return typed;
}

// Why nothing can be saved there; empty if something can.
std::string problem_with(const fs::path& file, const std::vector<std::string>& endings) {
  std::error_code none;
  if (!file.has_filename()) return "The file needs a name.";
  if (fs::is_directory(file, none)) return "That is a folder: add a name.";
  if (file.has_parent_path() && !fs::is_directory(file.parent_path(), none)) return "There is no such folder.";
  if (!endings.empty() && std::ranges::find(endings, file.extension().string()) == endings.end())
    return fmt::format("Its name must end in {}.", fmt::join(endings, " or "));
  return "";
}

}  // namespace

void save_dialog::ask(const fs::path& proposal, std::vector<std::string> endings) {
  endings_ = std::move(endings);
  std::error_code failed;
  const fs::path whole = fs::absolute(proposal, failed);
  path_ = (failed ? proposal : whole.lexically_normal()).string();
  opens_ = true;
}

std::optional<fs::path> save_dialog::draw(const theme& look) {
  const bool just_opened = std::exchange(opens_, false);
  if (just_opened) ImGui::OpenPopup("save");
  if (!ImGui::BeginPopup("save")) return {};
  label(look, "save to");
  ImGui::SetNextItemWidth(look.px(420));
  if (just_opened) ImGui::SetKeyboardFocusHere();
  const bool entered = ImGui::InputText("##path", &path_, ImGuiInputTextFlags_EnterReturnsTrue);
  const fs::path file = path_of(path_);
  const std::string problem = problem_with(file, endings_);
  std::error_code none;
  if (!problem.empty())
    text(look.text, look.bad, problem);
  else if (fs::exists(file, none))
    note(look, "There is such a file; it is replaced.");
  else
    note(look, " ");
  ImGui::BeginDisabled(!problem.empty());
  const bool pressed = main_button(look, "Save");
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool cancelled = ImGui::Button("Cancel");
  const bool saves = (entered || pressed) && problem.empty();
  if (saves || cancelled) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return saves ? std::optional(file) : std::nullopt;
}

}  // namespace viewer
