"""What can be wrong with a lesson: each rule with a code that stays the same between versions.

Every rule carries one way of breaking it. The reference for instructors is made from these by breaking the lesson of
`ferrolab new` and printing what `ferrolab check` says, and a test does the same: a rule cannot be documented wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass

TOML, PROSE, FAILING = "lesson.toml", "lesson.md", "trails/failing.json"


@dataclass(frozen=True)
class Break:
    """Replacing `old` by `new` in `file` of the starter lesson; without `new` the file is deleted."""

    file: str
    old: str = ""
    new: str | None = None


@dataclass(frozen=True)
class Rule:
    """One code.

    `title` finishes "this diagnostic means"; `why` says what the rule is for and what to do, in Markdown.
    """

    code: str
    title: str
    why: str
    example: Break


RULES: tuple[Rule, ...] = (
    Rule(
        "L001", "a file or folder of the lesson is missing or cannot be read",
        "A lesson is a folder with `lesson.md` and `lesson.toml`, both UTF-8. The folder's name becomes part of the page's "
        "address: small letters, digits and single hyphens.",
        Break(PROSE),
    ),
    Rule(
        "L002", "a file is not valid TOML or JSON",
        "Nothing else can be judged before the file can be read. The line is where the reader gave up; the mistake is often "
        "a quotation mark or a bracket on the line above.",
        Break(TOML, 'topic = "gradients through contact"', 'topic = "gradients through contact'),
    ),
    Rule(
        "L003", "a key the format does not know",
        "Unknown keys are refused, because a misspelt key would otherwise be a rule that never applies. The remedy names "
        "the nearest key.",
        Break(TOML, "minutes = 10", "minuets = 10"),
    ),
    Rule(
        "L004", "a required key is missing",
        "The message names the table and the key, and what its value must be. Some keys need each other: `within` needs "
        "`of`, `count` above one needs `distinct`, and a comparison needs `beside`.",
        Break(TOML, "minutes = 10\n", ""),
    ),
    Rule(
        "L005", "a value of the wrong kind or outside its range",
        "For example a text where a number belongs, a tolerance that is not above zero, a choice question with no correct "
        "choice or with two.",
        Break(TOML, "minutes = 10", "minutes = 0"),
    ),
    Rule(
        "L006", "an id used twice",
        "Ids tie the prose, the checks and the learner's kept progress together, so each is unique in its group. The id "
        "`predict` belongs to the prediction.",
        Break(TOML, 'id = "how-large"', 'id = "which-way"'),
    ),
    Rule(
        "L007", "a quantity the readout does not have",
        "Checks, steps and stuck messages may name the quantities listed in the [check vocabulary](vocabulary.md), and no others; "
        "they and the living figures name only what the lesson's own bench measures.",
        Break(TOML, "sign_agrees = false }", "sign_agreed = false }"),
    ),
    Rule(
        "L008", "a reference to something the lesson does not declare",
        "A check named by `revealed_by`, a question named by `answered`, a control that the lesson's bench has, or the id after a directive.",
        Break(TOML, 'revealed_by = "wrong-sign"', 'revealed_by = "wrong-sing"'),
    ),
    Rule(
        "L010", "the six parts are missing, out of order or doubled",
        "Every lesson has the same six second-level headings in the same order, so that a learner who knows one page knows "
        "them all. The title stands in `lesson.toml`; use third-level headings inside a part.",
        Break(PROSE, "## Feedback", "## Hints"),
    ),
    Rule(
        "L011", "a directive that does not exist or is not written as it must be",
        "A directive is a line `::: name` or `::: name id` with a closing `:::` below; a role is `{value}` or `{control}` "
        "before backticks.",
        Break(PROSE, "::: bench", "::: banch"),
    ),
    Rule(
        "L012", "something declared in lesson.toml that the prose never places",
        "What is declared must be shown: every figure, step, stuck message and question once, and `predict`, `bench`, "
        "`truth` and `passed` once each.",
        Break(PROSE, "::: question how-large\n:::\n", ""),
    ),
    Rule(
        "L013", "HTML in the prose",
        "A lesson cannot inject markup, so HTML would be shown as text. Write Markdown or a directive.",
        Break(PROSE, "Then move up, slowly.", "Then move <b>up</b>."),
    ),
    Rule(
        "L014", "a link or picture that leaves the lesson",
        "A page asks for nothing but its own files, and no reader is sent away from it. Name a source in words; declare a "
        "picture under `[[figures]]`.",
        Break(PROSE, "Then move up, slowly.", "Then [write to me](mailto:me@course)."),
    ),
    Rule(
        "L015", "an equation that cannot be converted",
        "Equations are turned into MathML when the site is built. The message names the command that is not known or the "
        "argument that is missing.",
        Break(PROSE, "Below $h = 0$ a", "Below $h \\wrong 0$ a"),
    ),
    Rule(
        "L020", "a living figure that is not written as it must be",
        "Between the backticks stand the digits as quoted, a bar, and the call: a quantity with its settings.",
        Break(PROSE, "gradient_error log_stiffness=6", "gradient_eror log_stiffness=6"),
    ),
    Rule(
        "L021", "a living figure whose digits no longer hold",
        "The number in the text is not what the library computes, rounded to as many digits as are quoted. Either the text "
        "was wrong, or the library has changed and this sentence has become false.",
        Break(PROSE, "{value}`45 |", "{value}`46 |"),
    ),
    Rule(
        "L022", "a bare measured number in prose",
        "A number that was measured is written with its call, so that it can be checked. A setting is written as an "
        "equation or a control. What is neither goes under `[[constants]]` with a reason.",
        Break(PROSE, "Then move up, slowly.", "The error is 45.3 there."),
    ),
    Rule(
        "L030", "a trail that cannot be read",
        "Trails are recorded by ferrolab. One written by hand, for another lesson, or by another version is refused.",
        Break(FAILING, '"version": 1', '"version": 7'),
    ),
    Rule(
        "L031", "a trail whose recorded figures are not what the library computes",
        "Every readout in a trail is computed again. A difference means that the trail was edited, or that the library "
        "has changed: find out which before recording it again.",
        Break(FAILING, '"log_stiffness": 2,', '"log_stiffness": 2.01,'),
    ),
    Rule(
        "L032", "a trail that grades otherwise than its name says",
        "`passing` must pass, `failing` must fail, and `missing-ID` must miss exactly the check ID with those that build on it. "
        "These trails prove that the lesson can be passed and that no check is met by accident.",
        Break(TOML, "sign_agrees = false }", "sign_agrees = true }"),
    ),
    Rule(
        "L033", "a trail the lesson needs and does not have",
        "One trail that passes, one that fails, and for each check one that misses it.",
        Break("trails/missing-wrong-sign.json"),
    ),
    Rule(
        "L034", "a trail that names what the lesson or its bench does not have",
        "A question or a choice that `lesson.toml` does not declare, a text where a number is asked for, a control that the "
        "lesson's bench does not have, or a position its control cannot stand at.",
        Break(FAILING, '"log_stiffness": 2,', '"log_stiffness": 9,'),
    ),
    Rule(
        "L035", "a check that the bench meets by itself",
        "What the bench shows before anybody has touched it must not count as having looked: the learner would have passed "
        "that check by scrolling. Ask for more, or say `opening = true` in the check when the bench is to open on what is to be seen.",
        Break(TOML, "[[checks.needs]]\nwhere = { stepping = \"fixed\", sign_agrees = true }\n\n", ""),
    ),
)
