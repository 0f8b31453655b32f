"""The bench on its own: `panel serve src/ferrolab/bench/main.py`."""

import panel as pn

from ferrolab.bench import Bench
from ferrolab.bench.models import MODELS_ADDRESS

pn.extension(js_files={"ferrolab": MODELS_ADDRESS})

scheme = pn.state.session_args.get("scheme", [b"light"])[0].decode()
Bench(scheme, marks_rest=True).view.servable(title="ferrolab bench")
