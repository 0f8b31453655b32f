"""The worker's half of the page, run in CPython: the document bridge, the trail and the grade."""

import json
from pathlib import Path

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.models import ColumnDataSource, Div, Slider

from ferrolab.lesson import load_lesson
from ferrolab.site.bridge import DocumentBridge
from ferrolab.site.session import Session

LESSON = Path(__file__).parents[2] / "lessons" / "the-gradient-that-lies"


def model_changed(model, attribute, value):
    return json.dumps({"events": [{"kind": "ModelChanged", "model": {"id": model.id}, "attr": attribute, "new": value}]})


class Wire:
    """What a bridge has sent."""

    def __init__(self):
        self.patches = []

    def __call__(self, patch, buffers):
        self.patches.append((json.loads(patch), dict(buffers)))

    @property
    def events(self):
        return [event for patch, _ in self.patches for event in patch["events"]]


def linked(model, **options):
    document = Document()
    document.add_root(model)
    wire = Wire()
    bridge = DocumentBridge(document, wire, **options)
    bridge.embed()
    return document, bridge, wire


def test_a_change_from_the_page_is_applied_and_not_sent_back():
    slider = Slider(start=0, end=10, value=1)
    _, bridge, wire = linked(slider)
    bridge.apply(model_changed(slider, "value", 4))
    assert slider.value == 4
    assert wire.patches == []


def test_the_answer_to_a_change_goes_out_as_one_patch():
    slider, div = Slider(start=0, end=10, value=1), Div(text="")
    document, bridge, wire = linked(slider)
    document.add_root(div)
    bridge.flush()
    wire.patches.clear()

    def answer(attribute, old, new):
        div.text, div.width = f"{new}", 100

    slider.on_change("value", answer)
    bridge.apply(model_changed(slider, "value", 4))
    assert len(wire.patches) == 1
    assert [(event["attr"], event["new"]) for event in wire.events] == [("text", "4"), ("width", 100)]


def test_a_value_python_corrects_is_sent_back():
    slider = Slider(start=0, end=10, value=1)
    _, bridge, wire = linked(slider)
    slider.on_change("value", lambda attribute, old, new: setattr(slider, "value", min(new, 3)))
    bridge.apply(model_changed(slider, "value", 9))
    assert [(event["attr"], event["new"]) for event in wire.events] == [("value", 3)]


def test_arrays_travel_as_buffers():
    source = ColumnDataSource(data={"x": np.zeros(3)})
    _, bridge, wire = linked(source)
    source.data = {"x": np.array([1.0, 2.0, 3.0])}
    bridge.flush()
    [(patch, buffers)] = wire.patches
    [data] = buffers.values()
    assert np.frombuffer(data).tolist() == [1.0, 2.0, 3.0]
    assert list(buffers)[0] in json.dumps(patch)


def test_a_new_model_is_sent_whole_once_and_by_reference_after():
    slider = Slider(start=0, end=10, value=1)
    _, bridge, wire = linked(slider)
    slider.tags = [Div(text="new")]
    bridge.flush()
    slider.tags = [*slider.tags, 1]
    bridge.flush()
    assert "attributes" in wire.events[0]["new"][0]
    assert set(wire.events[1]["new"][0]) == {"id"}


def test_a_change_outside_of_a_turn_is_sent_soon():
    due = []
    slider = Slider(start=0, end=10, value=1)
    _, _, wire = linked(slider, schedule=due.append)
    slider.value, slider.title = 2, "two"
    assert wire.patches == []
    [later] = due
    later()
    assert len(wire.patches) == 1
    assert len(wire.events) == 2


def test_a_document_of_two_roots_is_refused():
    document = Document()
    document.add_root(Div())
    document.add_root(Div())
    with pytest.raises(ValueError, match="2 roots"):
        DocumentBridge(document, Wire()).embed()


class Page:
    """The page's side of a session: keeps every message by kind."""

    def __init__(self, trail=None, controls=None, resume=None):
        self.kinds = []
        self.said = {}
        lesson = load_lesson(LESSON).to_dict()
        text = json.dumps({"lesson": lesson, "trail": trail, "scheme": "light", "controls": controls, "resume": resume})
        self.session = Session.from_json(text, self.post)
        self.session.open()

    def post(self, kind, text, buffers):
        self.kinds.append(kind)
        self.said.setdefault(kind, []).append(json.loads(text))

    def last(self, kind):
        return self.said[kind][-1]

    def send(self, kind, **message):
        self.session.receive(kind, json.dumps(message))

    def slide(self, log_stiffness):
        [slider] = [model for model in self.session._document.models if hasattr(model, "answered")]
        self.session.receive("patch", model_changed(slider, "value", log_stiffness))


@pytest.fixture
def learner():
    return Page()


def test_opening_sends_the_document_then_the_first_readout_and_the_grade(learner):
    assert [kind for kind in learner.kinds if kind != "patch"] == ["widgets", "document", "readout", "grade"]
    assert learner.last("readout")["seq"] == 1
    assert learner.last("readout")["controls"]["log_stiffness"] == 4.0
    assert learner.last("grade")["grade"]["passed"] is False
    assert learner.last("grade")["trail"]["events"] == []


def test_a_moved_slider_shows_before_it_reports(learner):
    learner.kinds.clear()
    learner.slide(6.0)
    assert learner.last("readout")["controls"]["log_stiffness"] == 6.0
    assert learner.kinds.index("patch") < learner.kinds.index("readout")


def test_only_the_readout_on_the_screen_can_settle(learner):
    learner.slide(6.0)
    learner.send("settled", seq=1)
    assert learner.last("grade")["trail"]["events"] == []
    learner.send("settled", seq=learner.last("readout")["seq"])
    [seen] = learner.last("grade")["trail"]["events"]
    assert seen["kind"] == "seen"
    assert seen["controls"]["log_stiffness"] == 6.0


def test_answers_grow_the_trail_and_starting_over_empties_it(learner):
    learner.send("answer", question="predict", response="anything")
    assert learner.last("grade")["trail"]["events"] == [{"kind": "answered", "question": "predict", "response": "anything"}]
    learner.send("reset")
    assert learner.last("grade")["trail"]["events"] == []


def test_starting_over_puts_the_controls_back_where_a_newcomer_finds_them(learner):
    first = learner.last("readout")["controls"]
    learner.slide(6.5)
    assert learner.last("readout")["controls"] != first
    learner.send("reset")
    assert learner.last("readout")["controls"] == first


def test_a_kept_trail_and_settings_are_taken_up_again(learner):
    learner.slide(6.0)
    learner.send("settled", seq=learner.last("readout")["seq"])
    kept = learner.last("grade")["trail"]
    again = Page(trail=kept, controls=learner.last("readout")["controls"])
    assert again.last("grade")["trail"] == kept
    assert again.last("grade")["grade"] == learner.last("grade")["grade"]
    assert again.last("readout")["controls"]["log_stiffness"] == 6.0


def test_what_a_learning_management_system_kept_is_taken_up_again():
    page = Page(resume="")
    page.slide(6.0)
    page.send("settled", seq=page.last("readout")["seq"])
    page.send("answer", question="missing-term", response="the timing term")
    kept = page.last("grade")
    assert len(kept["resume"]) < 60
    again = Page(resume=kept["resume"]).last("grade")
    assert again["trail"]["events"][1] == kept["trail"]["events"][1]
    assert again["trail"]["events"][0]["controls"] == kept["trail"]["events"][0]["controls"]
    assert (again["grade"], again["resume"]) == (kept["grade"], kept["resume"])


def test_what_it_kept_and_cannot_be_read_begins_anew_with_a_notice():
    page = Page(resume="1nonsense")
    assert "begins anew" in page.last("notice")["message"]
    assert page.last("grade")["trail"]["events"] == []


def test_no_resume_is_made_unless_somebody_keeps_it(learner):
    assert "resume" not in learner.last("grade")


def test_another_trail_can_take_the_place_of_the_one_so_far(learner):
    passing = json.loads((LESSON / "trails" / "passing.json").read_text())
    learner.send("trail", trail=passing)
    assert learner.last("grade")["grade"]["passed"] is True
    assert learner.last("grade")["trail"] == passing
    learner.send("trail", trail={"version": 99})
    assert "left out here" in learner.last("notice")["message"]
    assert learner.last("grade")["trail"] == passing


def test_a_trail_that_cannot_be_read_is_set_aside_with_a_notice():
    page = Page(trail={"version": 99})
    assert "begins anew" in page.last("notice")["message"]
    assert page.last("grade")["trail"]["events"] == []


@pytest.mark.parametrize("controls", [{"log_stiffness": "stiff"}, {"log_stiffness": 99.0}, {"unheard_of": 1}])
def test_settings_that_make_no_sense_are_set_aside_with_a_notice(controls):
    page = Page(controls=controls)
    assert "could not be restored" in page.last("notice")["message"]
    assert page.last("readout")["controls"]["log_stiffness"] == 4.0


def test_a_refused_answer_is_a_notice_and_the_session_goes_on(learner):
    learner.send("answer", question="", response="x")
    assert learner.last("notice")["message"]
    learner.slide(5.0)
    assert learner.last("readout")["controls"]["log_stiffness"] == 5.0


def test_a_change_of_scheme_recolours_the_document(learner):
    before = len(learner.said.get("patch", []))
    learner.send("scheme", scheme="dark")
    assert len(learner.said["patch"]) > before


def test_a_message_of_an_unknown_kind_is_refused(learner):
    with pytest.raises(ValueError, match="'dance'"):
        learner.send("dance")
