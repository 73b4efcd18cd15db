#include "viewer/pages/simulation_runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "runtime/gs.h"
#include "viewer/pages/simulation_colours.h"
#include "workbook/module.h"

namespace viewer {
namespace {

using clock = std::chrono::steady_clock;
using values = std::map<std::string, std::string>;

std::atomic<bool> left_behind = false;

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

double total_of(const workbook::heat_map& field) {
  return field.values.visit([](const auto values) {
    return gs::sum(values.size(), [&](std::size_t i) { return static_cast<double>(values[i]); });
  });
}

simulated_lesson describe(const std::filesystem::path& file, const workbook::lesson& l) {
  return {file, l.number, l.name.empty() ? file.stem().string() : l.name, l.title, l.parameters};
}

// Whether two pictures show the same quantity, at other times.
bool are_alike(const workbook::heat_map& a, const workbook::heat_map& b) {
  return a.rows == b.rows && a.columns == b.columns && a.value.label == b.value.label && a.value.unit == b.value.unit &&
         a.value.log == b.value.log;
}

std::vector<simulated_lesson> simulated_in(const std::filesystem::path& folder) {
  std::vector<simulated_lesson> found;
  std::error_code failed;
  for (std::filesystem::directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
    if (file->path().extension() != ".so") continue;
    try {
      const auto module = workbook::lesson_module::open(file->path());
      if (module.lesson().simulate) found.push_back(describe(file->path(), module.lesson()));
    } catch (const std::exception&) {
      // The file is being written, or isn't a lesson: not offered.
    }
  }
  std::ranges::sort(found, {}, &simulated_lesson::number);
  return found;
}

// Objects that need the module to stay open.
struct open_simulation {
  open_simulation(const workbook::lesson& l, const values& texts) : parameters(l.parameters) {
    if (!l.simulate) throw gs::error("simulating", l.name + " is no simulation", "choose another lesson");
    set(texts);
    simulation = l.simulate(parameters);
  }

  void set(const values& texts) {
    for (const auto& p : parameters.declared())
      if (const auto value = texts.find(workbook::name_of(p)); value != texts.end())
        parameters.set(value->first, value->second);
  }
  values current_values() const {
    values texts;
    for (const auto& p : parameters.declared())
      texts.emplace(workbook::name_of(p), workbook::to_text(parameters.value(workbook::name_of(p))));
    return texts;
  }

  workbook::parameters parameters;
  std::unique_ptr<workbook::simulation> simulation;
};

struct beginning {
  std::filesystem::path module;
  values texts;
  std::optional<gs::device_kind> device;
};

}  // namespace

struct simulation_runner::state {
  mutable std::mutex mutex;
  std::condition_variable asked, ended_signal;
  std::function<void()> wake;

  // The requests.
  bool quit = false, playing = false, for_all_times = true, redraw = false;
  std::optional<std::filesystem::path> folder;
  std::optional<beginning> start;
  std::optional<values> changed;
  std::size_t single_steps = 0, iterations = 1;
  double frames_per_second = 0;

  // The results.
  std::shared_ptr<const simulation_frame> frame;
  std::shared_ptr<const std::vector<simulated_lesson>> lessons;
  std::string failure, work;
  clock::time_point work_began;
  bool ended = false, running = false;

  // The thread's own. What a task brings becomes visible together with its end: who sees it finds nothing busy with it.
  std::shared_ptr<simulation_frame> drawn;
  std::shared_ptr<const std::vector<simulated_lesson>> found;
  // The module stays open while anything of it lives: a simulation, a kernel, an exception.
  std::optional<workbook::lesson_module> module;
  std::unique_ptr<open_simulation> open;
  std::filesystem::path file;
  std::size_t run = 0;
  std::vector<std::shared_ptr<const workbook::plot>> originals, shown_originals;
  std::vector<field_colours> colours;  // of the fields
  std::optional<workbook::interval> range_of_originals;
  bool one_range = true;
  double step_seconds = 0;
  clock::time_point last_frame = clock::now();

  bool can_step() const { return running && !frame && failure.empty(); }
  bool has_work() const {
    return quit || folder || start || (running && changed) || (running && redraw && !frame) ||
           (can_step() && (single_steps > 0 || playing));
  }

  void live();
  void work_on(std::unique_lock<std::mutex>& lock);
  void close();
  void begin(const beginning& b);
  void go_on(std::size_t n);
  void draw();
  void colour_originals(const workbook::heat_map& main, const field_colours& of_main);
};

// The originals have the colours of the field that evolves from them. They are copied only when its range changes.
void simulation_runner::state::colour_originals(const workbook::heat_map& main, const field_colours& of_main) {
  const auto range = one_range ? of_main.range() : std::nullopt;
  const auto same = [](const auto& a, const auto& b) {
    return a.has_value() == b.has_value() && (!a || (a->low == b->low && a->high == b->high));
  };
  if (!shown_originals.empty() && same(range, range_of_originals)) return;
  range_of_originals = range;
  shown_originals = originals;
  if (!range) return;
  for (auto& shown : shown_originals) {
    auto coloured = std::get<workbook::heat_map>(*shown);
    if (!are_alike(coloured, main)) continue;
    if (main.colours == workbook::colour_map::diverging) coloured.colours = main.colours;
    of_main.give(coloured);
    shown = std::make_shared<const workbook::plot>(std::move(coloured));
  }
}

void simulation_runner::state::draw() {
  drawn = std::make_shared<simulation_frame>();
  drawn->lesson = describe(file, module->lesson());
  drawn->values = open->current_values();
  drawn->device = gs::device().name;
  drawn->run = run;
  drawn->steps = open->simulation->steps();
  auto fields = open->simulation->fields();
  const std::size_t main = std::min(open->simulation->main_field(), fields.empty() ? 0 : fields.size() - 1);
  drawn->main_field = originals.size() + main;
  drawn->total = fields.empty() ? 0 : total_of(fields[main]);
  drawn->step_seconds = step_seconds;
  colours.resize(fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) colours[k].keep(fields[k], one_range);
  if (!fields.empty()) {
    colour_originals(fields[main], colours[main]);
    if (!std::isfinite(drawn->total)) drawn->not_finite = count_not_finite(fields[main]);
    drawn->growth = colours[main].growth();
  }
  drawn->fields = fields.empty() ? originals : shown_originals;
  for (auto& field : fields) drawn->fields.push_back(std::make_shared<const workbook::plot>(std::move(field)));
}

void simulation_runner::state::close() {
  try {
    if (module) gs::synchronize();
  } catch (const std::exception&) {
    // It was reported when it happened, or is about a simulation that is no longer shown.
  }
  open.reset();
  module.reset();
}

void simulation_runner::state::begin(const beginning& b) {
  close();  // before the file is opened again: it may have been replaced
  originals.clear();
  shown_originals.clear();
  colours.clear();
  if (b.device) gs::select_device(*b.device);  // no array of the last simulation is left
  file = b.module;
  module = workbook::lesson_module::open(file);
  open = std::make_unique<open_simulation>(module->lesson(), b.texts);
  for (auto& field : open->simulation->originals())
    originals.push_back(std::make_shared<const workbook::plot>(std::move(field)));
  ++run;
  step_seconds = std::numeric_limits<double>::quiet_NaN();
  draw();
}

void simulation_runner::state::go_on(std::size_t n) {
  const auto begin = clock::now();
  open->simulation->step(n);
  gs::synchronize();
  step_seconds = seconds_since(begin) / static_cast<double>(n);
  draw();
}

// Takes the next request and carries it out without the lock.
void simulation_runner::state::work_on(std::unique_lock<std::mutex>& lock) {
  std::function<void()> task;
  if (auto f = std::exchange(folder, {})) {
    work = "looking for simulations";
    task = [this, f = std::move(*f)] {
      gs::why_no_cuda();  // the page asks for it, and a driver may take a second to answer
      gs::device();
      found = std::make_shared<const std::vector<simulated_lesson>>(simulated_in(f));
    };
  } else if (auto b = std::exchange(start, {})) {
    work = "beginning";
    running = false;
    single_steps = 0;
    changed.reset();
    frame.reset();
    failure.clear();
    task = [this, b = std::move(*b)] { begin(b); };
  } else if (auto v = std::exchange(changed, {})) {
    work = "changing";
    task = [this, v = std::move(*v)] {
      open->set(v);
      open->simulation->change(open->parameters);
    };
  } else if (running && std::exchange(redraw, false)) {
    work = "drawing";
    task = [this] { draw(); };
  } else {
    const bool single = single_steps > 0;
    if (!single && frames_per_second > 0) {
      const auto due = last_frame + std::chrono::duration_cast<clock::duration>(
                                        std::chrono::duration<double>(1 / frames_per_second));
      if (clock::now() < due) {  // another request may come meanwhile
        asked.wait_until(lock, due);
        return;
      }
    }
    const std::size_t n = single ? std::exchange(single_steps, 0) : iterations;
    work = "stepping";
    last_frame = clock::now();
    task = [this, n] { go_on(n); };
  }
  work_began = clock::now();
  one_range = for_all_times;
  lock.unlock();
  std::string what_failed;
  try {
    task();
  } catch (const std::exception& e) {
    what_failed = e.what();
  } catch (...) {
    what_failed = "an exception of an unknown kind";
  }
  lock.lock();
  work.clear();
  if (found) lessons = std::exchange(found, nullptr);
  if (drawn) {
    running = true;
    if (drawn->not_finite > 0) playing = false;
    frame = std::exchange(drawn, nullptr);
  }
  if (!what_failed.empty()) {
    failure = what_failed;
    playing = false;
    single_steps = 0;
  }
  const auto signal = wake;
  lock.unlock();
  signal();
  lock.lock();
}

void simulation_runner::state::live() {
  std::unique_lock lock(mutex);
  while (!quit) {
    asked.wait(lock, [this] { return has_work(); });
    if (!quit) work_on(lock);
  }
  lock.unlock();
  close();
  lock.lock();
  ended = true;
  ended_signal.notify_all();
}

simulation_runner::simulation_runner(std::function<void()> wake) : state_(std::make_shared<state>()) {
  state_->wake = std::move(wake);
  std::thread([s = state_] { s->live(); }).detach();
}

simulation_runner::~simulation_runner() {
  std::unique_lock lock(state_->mutex);
  state_->quit = true;
  state_->wake = [] {};
  state_->asked.notify_all();
  if (!state_->ended_signal.wait_for(lock, std::chrono::seconds(2), [this] { return state_->ended; }))
    left_behind = true;
}

bool simulation_runner::abandoned() { return left_behind; }

void simulation_runner::look_for(const std::filesystem::path& folder) {
  const std::lock_guard lock(state_->mutex);
  state_->folder = folder;
  state_->asked.notify_all();
}

void simulation_runner::begin(const std::filesystem::path& module, const values& texts,
                              std::optional<gs::device_kind> device) {
  const std::lock_guard lock(state_->mutex);
  state_->start = {module, texts, device};
  state_->failure.clear();
  state_->asked.notify_all();
}

void simulation_runner::change(const values& texts) {
  const std::lock_guard lock(state_->mutex);
  state_->changed = texts;
  state_->asked.notify_all();
}

void simulation_runner::play(bool on) {
  const std::lock_guard lock(state_->mutex);
  state_->playing = on;
  state_->asked.notify_all();
}

void simulation_runner::set_speed(std::size_t iterations, double frames_per_second) {
  const std::lock_guard lock(state_->mutex);
  state_->iterations = std::max<std::size_t>(iterations, 1);
  state_->frames_per_second = frames_per_second;
  state_->asked.notify_all();
}

void simulation_runner::set_colours(bool for_all_times) {
  const std::lock_guard lock(state_->mutex);
  if (std::exchange(state_->for_all_times, for_all_times) == for_all_times) return;
  state_->redraw = true;
  state_->asked.notify_all();
}

void simulation_runner::step(std::size_t n) {
  const std::lock_guard lock(state_->mutex);
  state_->single_steps += n;
  state_->asked.notify_all();
}

std::shared_ptr<const simulation_frame> simulation_runner::take() {
  const std::lock_guard lock(state_->mutex);
  if (state_->frame && state_->playing) state_->asked.notify_all();
  if (state_->frame && (state_->single_steps > 0 || state_->redraw)) state_->asked.notify_all();
  return std::exchange(state_->frame, nullptr);
}

std::shared_ptr<const std::vector<simulated_lesson>> simulation_runner::lessons() const {
  const std::lock_guard lock(state_->mutex);
  return state_->lessons;
}

bool simulation_runner::playing() const {
  const std::lock_guard lock(state_->mutex);
  return state_->playing;
}

bool simulation_runner::busy() const {
  const std::lock_guard lock(state_->mutex);
  const state& s = *state_;
  return !s.work.empty() || s.frame || s.folder || s.start || (s.running && s.redraw) ||
         (s.running && s.failure.empty() && (s.single_steps > 0 || s.playing));
}

double simulation_runner::working_for(std::string* work) const {
  const std::lock_guard lock(state_->mutex);
  if (state_->work.empty()) return 0;
  if (work != nullptr) *work = state_->work;
  return seconds_since(state_->work_began);
}

std::string simulation_runner::failure() const {
  const std::lock_guard lock(state_->mutex);
  return state_->failure;
}

}  // namespace viewer
