"""Runs inside Pyodide: the grade of each trail, as text."""


def run(argument):
    from ferrolab.lesson import Lesson, Trail, grade

    answers = []
    for one in argument:
        lesson = Lesson.from_dict(one["lesson"])
        answers.append(grade(lesson, Trail.from_dict(one["trail"], lesson.slug)).to_json())
    return answers
