"""`ferrolab audit`: options, exit codes, outputs."""

import csv
import io
import json

import pytest

from ferrolab.audit.study.command import NUMBERS
from ferrolab.audit.study.options import Options
from ferrolab.cli import build_parser, main
from ferrolab.validate import InvalidInput

QUICK = ["audit", "--only", "sign-table", "--range", "3:5", "--dt", "1e-4", "--quiet"]


def test_json(capsys):
    assert main([*QUICK, "--json"]) == 0
    out = capsys.readouterr()
    found = json.loads(out.out)
    assert out.err == ""
    assert found["options"]["dts"] == [1e-4] and found["options"]["start"] == 3.0
    assert [cell["sign"] for cell in found["parts"]["sign-table"]["cells"]] == ["WRONG SIGN"] * 3 + ["same sign"] * 3


def test_csv(capsys):
    assert main([*QUICK, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["part"] for row in rows} == {"sign-table"}


def test_text_and_progress(capsys):
    assert main([argument for argument in QUICK if argument != "--quiet"]) == 0
    out = capsys.readouterr()
    assert "1. Sign table" in out.out and "-16.76 ✗" in out.out
    assert out.err.startswith("[1/1] sign-table ")


def test_html(capsys, tmp_path):
    file = tmp_path / "report.html"
    assert main([*QUICK, "--html", str(file)]) == 0
    assert file.read_text(encoding="utf-8").count("<section") == 1
    assert capsys.readouterr().out == f"wrote {file}\n"


def test_html_that_cannot_be_written_is_refused_before_the_work(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("ferrolab.audit.study.command.study", lambda *given: pytest.fail("the work was done before the refusal"))
    assert main([*QUICK, "--html", str(tmp_path / "missing" / "report.html")]) == 1
    assert main([*QUICK, "--html", str(tmp_path)]) == 1
    out = capsys.readouterr()
    assert out.out == ""
    first, second = out.err.splitlines()
    assert "its folder does not exist" in first and first.startswith("ferrolab: argument --html: was ")
    assert second.startswith("ferrolab: argument --html: was ") and "it is a folder" in second
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--only", "signs"], "argument --only: was 'signs'; it must be one of stiffness-sweep"),
        (["--dt", "0"], "argument --dt: was 0.0; it must be greater than 0"),
        (["--dt", "5"], "argument --dt: was 5.0; it must be no longer than the horizon"),
        (["--dt", "fine"], "argument --dt: was 'fine'; it must be a number"),
        (["--range", "8:2"], "argument --range: was '8:2'; it must be at least one decade"),
        (["--range", "2:99"], "argument --range: was '2:99'; it must be at least one decade"),
        (["--range", "2"], "argument --range: was '2'; it must be start:stop"),
        (["--stiffness", "nan"], "argument --stiffness: was nan; it must be finite"),
        (["--horizon", "0.3"], "argument --horizon: was 0.3; it must be a time at which the mass has met the plane exactly once"),
        (["--horizon", "3"], "argument --horizon: was 3.0; it must be a time at which"),
        (["--gravity", "-1"], "argument --gravity: was -1.0; it must be greater than 0"),
        (["--stepper", "verlet"], "argument --stepper: was 'verlet'; it must be one of"),
        (["--json", "--csv"], "argument --csv: not allowed with argument --json"),
    ],
)
def test_bad_input_exits_2_with_one_sentence(capsys, arguments, words):
    try:
        code = main(["audit", "--quiet", *arguments])
    except SystemExit as stop:
        code = stop.code
    out = capsys.readouterr()
    assert code == 2
    assert out.out == ""
    assert words in out.err and len(out.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(dts=(1e-3, 1e-5), start=3.0, stop=7.0),
        Options(start=-1.0, stop=4.0),
        Options(stiffness=1e4, rtol=1e-9, height=0.8, velocity=-0.5, horizon=0.7, damping_ratio=0.2, gravity=9.0, stepper="rk4", thorough=True),
    ],
)
def test_the_command_of_a_part_asks_for_the_same_options(options):
    program, *arguments = options.command("split").split()
    args = build_parser().parse_args(arguments)
    asked = Options(
        start=args.range[0], stop=args.range[1], dts=tuple(args.dts), stepper=args.stepper, thorough=args.thorough,
        **{name: getattr(args, name) for name in NUMBERS},
    )  # fmt: skip
    assert (program, args.only, asked) == ("ferrolab", ["split"], options)


def test_options_sort_their_steps_and_refuse_what_is_not_one_impact():
    assert Options(dts=(1e-6, 1e-4, 1e-4)).dts == (1e-4, 1e-6)
    with pytest.raises(InvalidInput, match="horizon"):
        Options(horizon=2.0)
    assert Options(horizon=0.75).decades == (2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
