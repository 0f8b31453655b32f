"""The pages of the documentation that are made, not written: diagnostics, vocabulary, keys, and the notes of each bench.

    python -m ferrolab.lesson.reference docs

writes them into a folder. A test makes them again and compares, so they cannot drift from the code.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ferrolab.controls import CONTROLS
from ferrolab.lesson.check import check_lesson
from ferrolab.lesson.drop import LOGARITHMS, known_settings
from ferrolab.lesson.keys import keys_page
from ferrolab.lesson.new import new_lesson
from ferrolab.lesson.on_bench import BENCH_CONTROLS
from ferrolab.lesson.quantities import OF_THE_BOUNCE, OF_THE_DROP, OF_THE_TRIAL, QUANTITIES, SHARED
from ferrolab.lesson.rules import RULES, Break

MADE = "<!-- Made by `python -m ferrolab.lesson.reference docs`; change src/ferrolab/lesson/{} instead. -->\n\n"

MEANINGS: dict[str, str] = {
    "stiffness": "stiffness k of the contact, force per unit mass and metre",
    "log_stiffness": "log10 of the stiffness, as the slider has it",
    "dt": "the fixed time step",
    "law": "the contact law, a word",
    "stepping": '`"fixed"` or `"tolerance"`',
    "derivative": "how the rollout is differentiated, a word",
    "stepper": "the fixed stepper, a word",
    "saltation": "whether the event-aware route uses its matrix",
    "status": '`"ok"`, or the name of what went wrong',
    "restitution": "speed leaving the floor over speed arriving, as this stepping realises it",
    "forward_error": "largest difference between the final state and the rigid one",
    "gradient_error": "largest difference between the two Jacobians, over the largest entry of the exact one",
    "entry": "the simulator's dv/dh0, the entry on the sign line",
    "entry_exact": "the rigid impact's dv/dh0",
    "sign_agrees": "whether the two entries have one sign",
    "accepted_steps": "steps the rollout took",
    "exponent": "p in |dv/dh0| ~ k^p, between 1e4 and 1e8",
    "evaluations.fixed": "force evaluations of the Jacobian with the fixed step",
    "evaluations.tolerance": "the same under the error tolerance",
    "evaluations.ratio": "the second over the first",
    "split.integrator": "the integrator's share of the gradient's error",
    "split.contact_model": "the contact model's share",
    "split.step": "the part of the integrator's share that the steps make",
    "split.event": "the part of it that the missing event term makes",
    "state.0": "final height",
    "state.1": "final velocity, up positive",
    "state_rigid.0": "final height on the rigid floor",
    "state_rigid.1": "final velocity on the rigid floor",
    **{f"jacobian.{i}.{j}": f"entry ({i + 1}, {j + 1}) of the simulator's Jacobian" for i in (0, 1) for j in (0, 1)},
    **{f"jacobian_exact.{i}.{j}": f"entry ({i + 1}, {j + 1}) of the rigid impact's Jacobian" for i in (0, 1) for j in (0, 1)},
    "entry_law": "the contact law's own exact dv/dh0",
    "entry_branch": "the same without the event's term: what autodiff tends to",
    "entry_error": "entry minus entry_law",
    "law_error": "largest difference from the law's own Jacobian, over its largest entry",
    "verdict": "the bench's word for the readout",
    "event_share_signed": "what the event's term adds to dv/dh0, with its sign",
    "event_share": "largest entry of what leaving the event's term out does",
    "carries_event": "whether the route's Jacobian holds the event's term, measured",
    "own_error": "what the steps (and a probe) did, with no event in it",
    "contact_model_share": "distance between the law's own Jacobian and the rigid one",
    "event_exponent": "p in event share ~ k^p",
    "contact_model_exponent": "p in contact model share ~ k^p",
    "steps_in_contact": "fixed steps that touch the contact",
    "jump": "how much the force jumps at touch-down",
    **{f"saltation_entry.{i}.{j}": f"entry ({i + 1}, {j + 1}) of the matrix of touch-down" for i in (0, 1) for j in (0, 1)},
    "release_height": "height at which the mass is let go",
    "model": '`"hard"`, `"soft"`, `"stochastic"` or `"smoothed"`',
    "kappa": "sharpness of the smoothing",
    "log_kappa": "log10 of the sharpness, as the slider has it",
    "noise": "standard deviation of the release height",
    "log_noise": "log10 of the noise, as the slider has it",
    "samples": "samples asked for",
    "log_samples": "log10 of the samples, as the slider has it",
    "drop_dt": "the time step, as the buttons have it",
    "drawn": "samples drawn so far",
    "complete": "whether every sample is drawn",
    "before_contact": "whether the mass, on the hard contact, is still falling at the end",
    **{
        f"{model}{name}": f"{meaning}{of}"
        for model, of in (("", " of the model chosen"), *((f"{name}_", f", {name}") for name in ("hard", "soft", "smoothed")))
        for name, meaning in (
            ("final_height", "final height"), ("final_velocity", "final velocity, up positive"),
            ("height_gradient", "derivative of the final height by the release height"),
            ("velocity_gradient", "dv/dh0, derivative of the final velocity by the release height"),
        )
    },
    "sigma": "share of the contact impulse at work where the smoothed mass ends",
    "average": "exact average of the hard final velocity under the noise",
    "average_gradient": "exact derivative of that average",
    "zeroth_gradient": "zeroth-order estimate of that derivative, hard contact",
    "zeroth_error": "its standard error, from the samples drawn",
    "zeroth_variance": "its variance per sample",
    "first_gradient": "first-order (pathwise) estimate, hard contact",
    "first_error": "its standard error",
    "first_variance": "its variance per sample",
    "smoothed_zeroth_gradient": "zeroth-order estimate of the averaged derivative, smoothed contact",
    "smoothed_zeroth_variance": "its variance per sample",
    "smoothed_first_gradient": "first-order estimate of the averaged derivative, smoothed contact",
    "smoothed_first_variance": "its variance per sample",
    "smoothed_zeroth_error": "standard error of the zeroth order, smoothed contact",
    "smoothed_first_error": "standard error of the first order, smoothed contact",
    "sampled_average": "average of the hard final velocity, from the samples drawn",
    "sampled_average_error": "its standard error",
    "sample_ratio": "how many times the samples the zeroth order needs for the error of the first, smoothed contact",
    "kappa_best": "sharpness whose final velocities come closest to the average under the noise",
    "mismatch": "rms distance between the smoothed final velocities and that average, over the release heights",
    "mismatch_best": "the same at kappa_best",
    "mismatch_ratio": "the first over the second: 1 at kappa_best",
    "creep": "how far a mass at rest has sunk after a second, simulated",
    "creep_closed_form": "the same, in closed form",
    "hover": "height at which a mass arriving at the landing speed has lost 95 % of it, below the ground if negative",
    "hover_closed_form": "the same where a step is short against 1/kappa, in closed form",
}


@dataclass(frozen=True)
class Example:
    """One thing the vocabulary can say: a title, what it means, and a `[[checks.needs]]` that says it."""

    title: str
    text: str
    needs: str


EXAMPLES: tuple[Example, ...] = (
    Example(
        "Seen a readout where …",
        "`where` names quantities and what each must be: a word, a number, `true` or `false`, or a table with `at_least`, "
        "`at_most`, or both. Everything named must hold in one and the same readout.",
        'where = { stepping = "fixed", sign_agrees = false, log_stiffness = { at_least = 3, at_most = 7 } }',
    ),
    Example(
        "Close to another quantity",
        "`within` is relative to the size of the quantity named by `of`: here, within one percent of the exact entry.",
        'where = { stepping = "tolerance", entry = { within = 0.01, of = "entry_exact" } }',
    ),
    Example(
        "At least so many, counted apart",
        "`count` readouts that satisfy `where`, no two with the same value of `distinct`.",
        'where = { stepping = "fixed" }\ndistinct = "log_stiffness"\ncount = 3',
    ),
    Example(
        "Seen at the same stiffness …",
        "`beside` is one readout to compare with. Each readout that satisfies `where` must equal it in the quantities "
        "`same`, and be smaller in the quantities `less`: here, two finer time steps at the stiffness of a wrong sign.",
        'beside = { stepping = "fixed", sign_agrees = false }\nwhere = { stepping = "fixed" }\nsame = ["log_stiffness"]\nless = ["dt"]\ndistinct = "dt"\ncount = 2',
    ),
    Example(
        "A ratio of …",
        "`ratio` divides the quantity `of` by the same quantity of the readout it stands beside: here, an error that has "
        "fallen by no more than a quarter.",
        'beside = { stepping = "fixed" }\nwhere = { stepping = "fixed" }\nsame = ["log_stiffness"]\nless = ["dt"]\nratio = { of = "gradient_error", at_least = 0.75 }',
    ),
    Example(
        "Answered …",
        "`answered` names a question; `correct = true` asks for a right answer. The prediction is the question `predict`, and "
        "nobody must be right to have predicted.",
        'answered = "which-way"\ncorrect = true',
    ),
)


def diagnostics_page() -> str:
    """docs/diagnostics.md: every rule, and what `ferrolab check` says when its example is broken."""
    parts = [
        MADE.format("rules.py"),
        "# What each diagnostic means\n\n",
        "`ferrolab check` prints one line for each fault: the file and the line, a code, what is wrong, and how to put it "
        "right. `--json` prints the same as data. It ends with 0 when nothing is wrong, 1 when something is, and 2 when it "
        "was given something that is no lesson.\n\n"
        "Every rule below is shown on the lesson that `ferrolab new lesson` makes, broken in one place.\n",
    ]
    for rule in RULES:
        parts += [f"\n## {rule.code}: {rule.title}\n\n{rule.why}\n\n", _shown(rule.example)]
    return "".join(parts)


def _shown(example: Break) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        folder = new_lesson("my-lesson", Path(scratch))
        path = folder / example.file
        if example.new is None:
            path.unlink()
            what = f"`{example.file}` is not there:\n"
        else:
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(example.old, example.new), encoding="utf-8")
            old, new = example.old.strip("\n"), example.new.strip("\n")
            what = f"In `{example.file}`:\n\n```\n{old}\n```\n\nhas become\n\n```\n{new}\n```\n" if new else f"In `{example.file}`, this has been taken out:\n\n```\n{old}\n```\n"
        said = "\n".join(str(one) for one in check_lesson(folder))
    return f"{what}\n```\n{said}\n```\n"


def vocabulary_page() -> str:
    """docs/vocabulary.md: what checks, steps and stuck messages can say, and about which quantities."""
    parts = [
        MADE.format("reference.py"),
        "# The check vocabulary\n\n"
        "A pass check, a step of the guided practice and a stuck message say the same kinds of things about the learner's "
        "trail. A check holds a list `[[checks.needs]]`, a step `[[steps.done]]`, a stuck message `[[stuck.when]]`; a check "
        "or a step is met when every one of its needs is, a stuck message shows when any of its rules holds.\n\n"
        "What counts is what was *seen*: a readout that stood on the screen, settled, with the bench in view. A check that "
        "was met stays met, in whatever order the learner looked.\n",
    ]
    for example in EXAMPLES:
        parts.append(f"\n## {example.title}\n\n{example.text}\n\n```toml\n[[checks.needs]]\n{example.needs}\n```\n")
    parts.append(
        "\n## Only for stuck messages\n\n"
        "`now` is a `where` that the learner's latest readouts must all satisfy; `last` says how many of them, one unless "
        "given. `until` takes the message away: `met` names a check, `answered` a question answered rightly. `correct = false` "
        "asks for a wrong answer, and is refused in a check.\n\n"
        "```toml\n[[stuck.when]]\nnow = { stepping = \"fixed\", log_stiffness = { at_most = 2.4 } }\nlast = 2\n```\n"
    )
    parts += ["\n## Controls\n\nA lesson lists the controls it uses, among those of its bench; in the prose, `{control}` shows a control or one of its positions by name.\n\n"]
    parts += ["| id | name on the bench | unit | positions | benches |\n|---|---|---|---|---|\n"]
    for control in CONTROLS.values():
        if control.kind == "slider":
            positions = f"{control.start:g} to {control.stop:g}, every {control.step:g}"
        else:
            positions = ", ".join(f"`{_toml(value)}` ({label})" for value, label in control.options)
        parts.append(f"| `{control.id}` | {control.label} | {control.unit} | {positions} | {_benches(control.id)} |\n")
    parts += ["\n## What can be set where\n\n", _settable()]
    parts += ["\n## Quantities of every bench\n\n", _quantities(list(SHARED))]
    parts += ["\n## Quantities of `gradient-that-lies` and `who-is-to-blame`\n\n", _quantities(list(OF_THE_BOUNCE))]
    parts += ["\n## Quantities of the bench `who-is-to-blame` alone\n\n", _quantities(list(OF_THE_TRIAL))]
    parts += [
        "\n## Quantities of the bench `forces-at-a-distance`\n\n"
        "A readout of this bench is recorded when every sample is drawn; `complete` is true in it.\n\n",
        _quantities(list(OF_THE_DROP)),
    ]
    return "".join(parts)


def _benches(control: str) -> str:
    having = [bench for bench, controls in BENCH_CONTROLS.items() if control in controls]
    return "every one" if len(having) == len(BENCH_CONTROLS) else " ".join(f"`{bench}`" for bench in having)


def _settable() -> str:
    from dataclasses import fields

    from ferrolab.audit import Settings

    parts = [
        "A figure is computed apart from the bench, so it can be about a drop that no learner can set; say in the prose that it is. "
        "A trail holds what stood on a bench, so only what a bench has can stand in it, at positions its controls have.\n\n"
        "| setting | in a figure | on the bench, and in a trail |\n|---|---|---|\n"
    ]
    for name in ["log_stiffness", *(field.name for field in fields(Settings))]:
        on = _benches(name) if name in CONTROLS else "as `log_stiffness`" if name == "stiffness" else "no"
        parts.append(f"| `{name}` | yes | {on} |\n")
    as_control = {**{of: name for name, of in LOGARITHMS.items()}, "dt": "drop_dt"}
    for name in [*LOGARITHMS, *known_settings()]:
        if name not in {field.name for field in fields(Settings)}:
            on = _benches(name) if name in CONTROLS else f"as `{as_control[name]}`" if name in as_control else "no"
            parts.append(f"| `{name}` | yes, of the falling mass | {on} |\n")
    parts.append("| `drop_dt` | as `dt`, of the falling mass | `forces-at-a-distance` |\n")
    parts.append(
        "| `impact_speed` | in `timing_term` alone | for looking, on `gradient-that-lies`; not in a trail |\n\n"
        "The buttons *Impact speed* of `gradient-that-lies` say at which speed the line below them gives the timing term. They change "
        "no readout: the bench goes on dropping its mass from a metre. So they are not recorded, and no check can ask for them. "
        "Ask a question whose answer can only be read there.\n"
    )
    return "".join(parts)


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else f"{value:g}"


def _quantities(names: list[str]) -> str:
    rows = "".join(f"| `{name}` | {QUANTITIES[name]} | {MEANINGS[name].replace('|', chr(92) + '|')} |\n" for name in names)
    return f"| name | unit | what it is |\n|---|---|---|\n{rows}"


def _note(path: Path) -> str:
    return f"<!-- Made by `python -m ferrolab.lesson.reference docs`; change src/ferrolab/bench/views/{path.name} instead. -->\n\n{path.read_text(encoding='utf-8')}"


NOTES = sorted((Path(__file__).resolve().parents[1] / "bench" / "views").glob("*.md"))
PAGES = {
    "diagnostics.md": diagnostics_page,
    "vocabulary.md": vocabulary_page,
    "lesson-toml.md": lambda: MADE.format("keys.py") + keys_page(),
    # Copies, so that links to them lead somewhere in the installed package and in a folder of docs alone.
    **{f"model-{path.stem.replace('_', '-')}.md": partial(_note, path) for path in NOTES},
}


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("usage: python -m ferrolab.lesson.reference FOLDER", file=sys.stderr)
        return 2
    for name, make in PAGES.items():
        (Path(arguments[0]) / name).write_text(make(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
