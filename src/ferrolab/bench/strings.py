"""Every string the learner reads on the bench, in one place.

Templates are filled by `words.py`; numbers come from `numerals.py` ready-made.
"""

from __future__ import annotations

BENCH = "Bench"

# Sign line
SIGN_TITLE = "Sign line"
WRONG_SIGN = "WRONG SIGN"
SAME_SIGN = "SAME SIGN"
NO_SIGN = "NO ANSWER"
RETURNED = "returned dv/dh₀"
EXACT = "exact"
STATUS_UNKNOWN = "This setting gives no answer ({status}); move the slider or choose a finer time step."

# Routes: how the rollout was differentiated, then how it was stepped
DERIVATIVES = {
    "autodiff": "autodiff",
    "finite-difference": "finite differences",
    "event-aware": "event-aware",
}
FIXED_STEPPING = "fixed step {dt}"
TOLERANCE_STEPPING = "tolerance {rtol}"
ROUTE = "{derivative}, {stepping}"

# Controls
SLIDER_BASE = "k = 10"
SLIDER_SPOKEN = "ten to the"
STEPPING_LEGEND = "Stepping"
TOGGLE_OFF = "off: every step is as long as the time step"
TOGGLE_ON = "on: the stepper chooses its steps"
DT_IDLE = "not used under a tolerance"
SPEED_LABEL = "Impact speed"
SPEED_UNIT = "m/s"

# Error plot
ERRORS_HEADING = "Error against stiffness"
ERRORS_UNITS = "gradient: relative; trajectory: m and m/s"
STRIP_NOTE = "The strip on the axis is where you have been."
CURVES = {
    "fixed": "gradient, fixed step",
    "tolerance": "gradient, tolerance",
    "trajectory": "trajectory",
}
PENDING_CURVE = "{label} …"
STIFFNESS_AXIS = "stiffness k (1/s²)"
ERRORS_DESCRIPTION = (
    "Log–log plot of three errors against stiffness. {curves} "
    "You are at ten to the {position}: forward error {forward}, gradient error {gradient}."
)
CURVE_DESCRIPTION = "{label}: {first} at the soft end, {last} at the stiff end."
CURVE_DESCRIPTION_PENDING = "{label}: not computed yet."

# Height plots
FLIGHT_HEADING = "The flight"
FLIGHT_NOTE = "height (m) over time (s)"
CONTACT_HEADING = "The contact"
CONTACT_NOTE = "magnified: mm over ms"
CONTACT_NONE = "no contact before the horizon"
RIGID = "rigid impact"
SPRING = "spring"
FLIGHT_DESCRIPTION = (
    "The mass falls from {height} m, meets the ground at {impact} s and at {horizon} s is at {end} m on the spring, "
    "{end_rigid} m after a rigid impact."
)
FLIGHT_DESCRIPTION_NONE = "The mass does not reach the ground in this time."
CONTACT_DESCRIPTION = (
    "The contact lasts {duration} ms and presses the spring in by {depth} mm; the rigid impact turns round at the ground."
)

# Readout
READOUT_TITLE = "Readout at the settings above"
STIFFNESS_ROW = "stiffness"
RESTITUTION_ROW = "restitution"
FORWARD_ROW = "forward error"
FORWARD_UNIT = "m, m/s"
GRADIENT_ROW = "gradient error"
GRADIENT_UNIT = "relative"
ENTRY_ROW = "dv/dh₀, returned"
EXACT_ROW = "dv/dh₀, exact"
ENTRY_UNIT = "1/s"
EXPONENT_ROW = "exponent, 10⁴–10⁸"
STEPS_ROW = "steps taken"
FIXED_COST_ROW = "evaluations, fixed"
TOLERANCE_COST_ROW = "evaluations, tolerance"
RATIO_ROW = "tolerance to fixed"
RATIO_MORE = "{ratio} times more"
RATIO_OF = "{ratio} times as many"
TIMING_FORMULA = "(1 + e) g / |v⁻| = {timing} 1/s"
TIMING_ROW = "timing at {speed} m/s"

# Split
SPLIT_TITLE = "Whose error is it?"
SPLIT_NOTE = "Largest entry of each share of the Jacobian's error, on a logarithmic scale."
SHARES = {
    "integrator": "integrator",
    "contact_model": "contact model",
    "step": "step",
    "event": "event",
}

# Live region: what changed, then its consequence
READY = "Bench ready."
CHANGED = {
    "log_stiffness": "Stiffness ten to the {log_stiffness}",
    "dt": "Time step {dt}",
    "stepping": {"fixed": "Error tolerance off", "tolerance": "Error tolerance on"},
    "impact_speed": "Impact speed {impact_speed} m/s",
}
CONSEQUENCE = "{verdict}: returned {returned}, exact {exact}. Gradient error {gradient}, forward error {forward}."
CONSEQUENCE_NONE = "No answer: {message}"
CONSEQUENCE_SPEED = "timing term {timing} per second."
VERDICTS = {"same": "same sign", "wrong": "wrong sign", "none": "no answer"}
SPOKEN_MINUS = "minus "
