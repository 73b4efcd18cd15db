#pragma once
// A verdict with one of everything, and hostile texts in it.

#include "assessments/grader/verdict/verdict.h"

inline grader::verdict sample_verdict() {
  grader::verdict v;
  v.task_id = "A2";
  v.task_name = "histogram";
  v.task_title = "A histogram that loses no value";
  v.task_version = 3;
  v.file = "my/histogram.cpp";
  v.sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  v.graded = "2026-11-21T18:48:03Z";
  v.seed = 18'446'744'073'709'551'557u;
  v.criteria = {
      {"correctness", "every count exact", grader::criterion_state::partly, 30, 50, true, "12 of 20 calls right"},
      {"findings", "nothing for the instruments to find", grader::criterion_state::failed, 0, 20, true, "1 finding"},
      {"private_counts", "counts of each block", grader::criterion_state::passed, 30, 30, false,
       "0.001 atomic operations on global memory per value"},
      {"speed", "beside global atomics", grader::criterion_state::not_run, 0, 0, false,
       "not run: the answers are wrong"}};
  grader::mishap& wrong = v.mishaps.emplace_back();
  wrong.kind = grader::mishap_kind::wrong_answer;
  wrong.text = "counts[3] of shape (10,) is 18, expected 17; 2 of 10 are wrong.";
  wrong.criterion = "correctness";
  wrong.call = "bins 10, values 1,009, edges";
  wrong.array = "counts";
  wrong.index = {3};
  wrong.extents = {10};
  wrong.expected = 17;
  wrong.got = 18;
  wrong.wrong = 2;
  grader::mishap& race = v.mishaps.emplace_back();
  race.kind = grader::mishap_kind::race;
  race.text = "race between blocks: Nothing decides which of the two comes first.";
  race.criterion = "findings";
  race.call = "bins 10, values 33, normal";
  race.place = {"my/histogram.cpp", 12, 5};
  race.other_place = {"my/histogram.cpp", 14, 7};
  race.details = "   12 | counts[bin] += 1;\n      | ^";
  v.speed = {{.ratio = 1.5,
              .low = 1.4,
              .high = 1.6,
              .seconds = 0.002,
              .baseline_seconds = 0.003,
              .pairs = 8,
              .graded = false,
              .call = "bins 10, values 1,000,000, normal"}};
  v.times = {{"compile", 3.25}, {"correctness", 0.5}};
  v.points = 60;
  v.possible = 100;
  v.isolation = "bubblewrap";
  v.device = "engine";
  v.machine = "a processor, 4 cores";
  v.version = "0.1";
  v.output = "PASS\n";
  v.notes = {"bins 64, values 100,000,000, normal was left out: it needs 1.5 GB of memory, and 1.1 GB are free"};
  return v;
}
