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

# Who is to blame: the sign line and its route
EXACT_LAW = "exact, this law"
SIGN_NOTE = "off by {error}; a rigid impact would give {rigid}"
WRONG_VALUE = "WRONG VALUE"
WORKING = "WORKING …"
WORKING_NOTE = "This contact has no closed form: it is stepped through one step at a time."
LAWS = {"kelvin-voigt": "spring–damper", "hunt-crossley": "Hunt–Crossley"}
FIXED_STEPPING_RK4 = "fixed RK4 step {dt}"
WITHOUT_MATRIX = "event-aware without its matrix"
ROUTE_WITH_LAW = "{law}, {stepping}, {derivative}"
UNDER_RESOLVED = "A contact of {steps} steps: under-resolved. Trust no derivative here; choose a finer time step or a softer contact."

# Who is to blame: controls
STEPPING_HINTS = {"fixed": "off: all steps of one length", "tolerance": "on: the stepper chooses"}
RK4_HINT = "classical Runge–Kutta (RK4)"
SALTATION_LEGEND = "At touch-down"
SALTATION_ON = "on: Ξ is in the product"
SALTATION_OFF = "off: Ξ is left out, no more"
SALTATION_IDLE = "only event-aware can apply it"

# Who is to blame: the table of combinations
CELLS_TITLE = "Law × stepping × derivative"
CELLS_NOTE = "Each cell keeps what you last saw there: dv/dh₀ (1/s), and where."
CELLS_CORNER = "stepping"
CELLS_STEPPING = {"fixed": "fixed step", "tolerance": "tolerance"}
CELL_BASE = "k = 10"
CELL_HERE = "(you are here)"
CELL_UNVISITED = "not visited yet"
UNVISITED = "·"
CELL_VERDICTS = {"right": "✓ right", "wrong-sign": "✗ wrong sign", "wrong": "≠ wrong", "none": "– no answer"}
CELL_WORKING = "working"
CELL_NO_MATRIX = "no Ξ"

# Who is to blame: the three shares
SHARES_HEADING = "The error in three shares"
SHARES_UNITS = "largest entry of each share of the Jacobian’s error"
SHARE_CURVES = {"own": "step", "event": "event", "contact_model": "contact model"}
OWN_ERROR = "own error"
TOO_SMALL = "{label}: below 10⁻⁸"
NO_CURVE = "{label}: no answer"
NOT_DRAWN = "{label}: none, nothing jumps"
GUIDES = {"event": "slope +1/2", "contact_model": "slope −1/2"}
SHARES_NOTE = "A logarithmic scale: one square up is a hundred times more. The strip on the axis is where you have been."
SHARES_NOTE_COSTLY = "The step share is drawn only where its contact is short enough to step through in a moment."
BARS_TITLE = "The shares where you stand"
BARS_NOTE = "Largest entry of each, on a logarithmic scale."
BAR_LABELS = {"step": "step", "own": "integrator", "event": "event", "contact_model": "contact model"}
EVENT_CARRIED = "carried by this route ({event} avoided)"
EVENT_NONE = "0: nothing jumps"
SHARES_DESCRIPTION = (
    "Log–log plot of three shares of the Jacobian’s error against stiffness. {curves} "
    "You are at ten to the {position}: {own_name} {own}, event {event}, contact model {model}."
)

# Who is to blame: the force at entry
FORCE_HEADING = "The force at touch-down"
FORCE_NOTE = "per unit mass (m/s²), magnified"
FORCE_TIME_AXIS = "time after touch-down (ms)"
JUMP_LABEL = "jump c|v⁻|\n= {jump} m/s²"
FORCE_DESCRIPTION = {
    "kelvin-voigt": (
        "At touch-down the force of the spring–damper jumps from 0 to {jump} metres per second squared; "
        "that of Hunt–Crossley starts from 0 and grows."
    ),
    "hunt-crossley": (
        "The force of Hunt–Crossley starts from 0 and grows, with no jump; "
        "that of the spring–damper would jump to {jump} metres per second squared."
    ),
}

# Who is to blame: the missing term
TERM_TITLE = "The one term"
TERM_NOTE = {
    "kelvin-voigt": "Saltation matrix of touch-down, c = 2ζ√k",
    "hunt-crossley": "Saltation matrix of touch-down: the force starts from zero",
}
TERM_SYMBOL, TERM_SUBSCRIPT = "Ξ", "entry"
TERM_STATES = {"applied": "in this route", "missing": "not in this route", "none": "nothing to apply"}
TERM_LINES = {
    "exact": "dv/dh₀, exact",
    "event": "what leaving it out adds",
    "branch": "along the branch",
}

# Who is to blame: readout rows
ENTRIES_TITLE = "The contact and the entry, at the settings above"
ERRORS_TITLE = "Errors, exponents and cost, at the settings above"
CONTACT_STEPS_ROW = "steps in contact"
LAW_ROW = "dv/dh₀, this law"
RIGID_ROW = "dv/dh₀, rigid impact"
OFF_ROW = "off this law by"
LAW_ERROR_ROW = "gradient error, law"
RIGID_ERROR_ROW = "gradient error, rigid"
EVENT_EXPONENT_ROW = "event exponent"
MODEL_EXPONENT_ROW = "model exponent"
COST_ROW = "evaluations"

# Live region: what changed, then its consequence
READY = "Bench ready."
CHANGED = {
    "log_stiffness": "Stiffness ten to the {log_stiffness}",
    "dt": "Time step {dt}",
    "stepping": {"fixed": "Error tolerance off", "tolerance": "Error tolerance on"},
    "derivative": {
        "autodiff": "Derivative autodiff",
        "finite-difference": "Derivative finite difference",
        "event-aware": "Derivative event-aware",
    },
    "law": {"kelvin-voigt": "Contact law spring–damper", "hunt-crossley": "Contact law Hunt–Crossley"},
    "saltation": {False: "Saltation matrix off", True: "Saltation matrix on"},
    "impact_speed": "Impact speed {impact_speed} m/s",
    "release_height": "Release height {release_height} metres",
    "model": {
        "hard": "Contact model hard",
        "soft": "Contact model soft",
        "stochastic": "Contact model stochastic",
        "smoothed": "Contact model smoothed",
    },
    "drop_dt": "Time step {drop_dt}",
    "log_kappa": "Sharpness {log_kappa} per metre",
    "log_noise": "Noise {log_noise} millimetres",
    "log_samples": "Samples {log_samples}",
}
CONSEQUENCE = "{verdict}: returned {returned}, exact {exact}. Gradient error {gradient}, forward error {forward}."
CONSEQUENCE_BLAME = "{verdict}: returned {returned}, exact {exact}, off by {error}."
CONSEQUENCE_NONE = "No answer: {message}"
CONSEQUENCE_SPEED = "timing term {timing} per second."
VERDICTS = {
    "same": "same sign",
    "wrong": "wrong sign",
    "off": "same sign, wrong value",
    "none": "no answer",
}
SPOKEN_MINUS = "minus "
