"""Search in pages that are opened from a folder.

The theme's search fetches an index and starts a worker from a file. A browser refuses both to a page whose address begins
with file:. So both are written into a script, which the theme finds under the name `__search`.
"""

import json


def add_offline_search(site):
    """Writes assets/offline_search.js of a site that MkDocs has built."""
    index = json.loads((site / "search/search_index.json").read_text())
    worker = next((site / "assets/javascripts/workers").glob("search.*.js")).read_text()
    (site / "assets/offline_search.js").write_text(
        'if (location.protocol === "file:") {\n'
        f"  const worker = {json.dumps(worker)};\n"
        f"  const index = {json.dumps(index)};\n"
        "  window.__search = {\n"
        '    worker: URL.createObjectURL(new Blob([worker], {type: "text/javascript"})),\n'
        "    index: Promise.resolve(index),\n"
        "  };\n"
        "}\n"
    )
