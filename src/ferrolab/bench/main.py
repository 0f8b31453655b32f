"""The bench on its own: `panel serve src/ferrolab/bench/main.py`.

The address chooses: `?view=who-is-to-blame`, `?scheme=dark` and `?language=de`.
"""

import panel as pn

from ferrolab.bench import DEFAULT_VIEW, Bench
from ferrolab.bench.models import MODELS_ADDRESSES
from ferrolab.bench.tokens import page_style
from ferrolab.words import DEFAULT, for_bench


def asked(name: str, default: str) -> str:
    """Return an argument of the address."""
    return pn.state.session_args.get(name, [default.encode()])[0].decode()


scheme = asked("scheme", "light")
pn.extension(js_files=MODELS_ADDRESSES, raw_css=[page_style(scheme)])
Bench(scheme, view=asked("view", DEFAULT_VIEW), marks_rest=True, words=for_bench(asked("language", DEFAULT))).view.servable(title="ferrolab bench")
