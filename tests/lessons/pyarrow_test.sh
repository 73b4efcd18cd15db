#!/usr/bin/env bash
# What lesson 39 writes is a table for PyArrow, and says the same of each channel. PyArrow comes from PyPI, into an
# environment of its own in the build folder; where that can't be had, the test is skipped.
#   pyarrow_test.sh LESSON_PROGRAM ENVIRONMENT
set -u
program=$1 environment=$2
skip() {
  echo "skipped: $1"
  exit 77
}

if ! "$environment/bin/python" -c 'import pyarrow' 2>/dev/null; then
  python3 -m venv "$environment" 2>/dev/null || skip "python3 with its module venv makes no environment"
  timeout 200 "$environment/bin/pip" install --quiet --only-binary :all: --timeout 10 --retries 1 pyarrow 2>/dev/null ||
    skip "pip installs no PyArrow: $environment/bin/pip install pyarrow says why"
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$program" --size 3000 --channels 11 --file pulses.arrow --json >report.json || exit 1

"$environment/bin/python" - <<'PYTHON'
import json
import pyarrow.compute as pc
import pyarrow.feather

report = json.load(open("report.json"))
(said,) = [item for item in report["items"] if item.get("title") == "Pulses that aren't saturated"]
pulses = pyarrow.feather.read_table("pulses.arrow")
pulses.validate(full=True)
types = {field.name: str(field.type) for field in pulses.schema}
expected = dict(
    channel="uint16", start="int32", length="uint16", height="int16", charge="float", saturated="bool"
)
assert types == expected, types
assert pulses.num_rows >= 3000, pulses.num_rows

clean = pulses.filter(pc.and_not(pc.not_equal(pulses["channel"], 7), pulses["saturated"]))  # 7 has no gain
groups = clean.group_by("channel").aggregate([("charge", "mean"), ("height", "max"), ("charge", "count")])
rows = {row["channel"]: row for row in groups.to_pylist()}
assert len(said["rows"]) == len(rows) == 10, said["rows"]
for channel, count, energy, height in said["rows"]:
    row, gain = rows[channel], 0.5 + 0.125 * (channel % 5)
    assert count == row["charge_count"] and height == row["height_max"], (channel, count, height, row)
    assert abs(energy - row["charge_mean"] * gain) <= 0.501, (channel, energy, row)
print("PyArrow reads", pulses.num_rows, "pulses")
PYTHON
