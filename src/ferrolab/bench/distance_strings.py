"""Every string the learner reads on the bench of lesson 3. Filled by `distance_words.py`."""

from __future__ import annotations

# The contact models, as curves and sentences name them
MODELS = {"hard": "hard", "soft": "soft", "stochastic": "stochastic", "smoothed": "smoothed"}
AVERAGE = "exact average"

# Sign line
SIGN_TITLE = "Gradient line"
RETURNED = "dv/dh₀ returned"
AVERAGE_GRADIENT = "of the average"
ZERO, ALMOST, REACHES, SLOPE, NO_SLOPE = "ZERO GRADIENT", "ALMOST ZERO", "REACHES OUT", "NOT ZERO", "WORKING …"
ROUTES = {
    "hard": "hard contact, step {dt}",
    "soft": "soft contact, step {dt}",
    "stochastic": "hard contact under noise, {drawn} of {samples} samples",
    "smoothed": "smoothed contact, κ = {kappa} 1/m, step {dt}",
}
STATES = {
    True: "Still falling at {horizon} s: hard contact has not begun.",
    False: "Landed before {horizon} s.",
}
NOTE = "{state} Final height {height}, final velocity {velocity}."

# Controls
HEIGHT_SPOKEN = "metres"
KAPPA_SPOKEN = "per metre"
NOISE_UNIT, NOISE_SPOKEN = "mm", "millimetres"
HEIGHT_MARKS = ((0.0, "0"), (0.1, "0.1"), (0.2, "0.2"), (0.3, "0.3"), (0.4, "0.4"))
KAPPA_MARKS = ((1.0, "10"), (2.0, "100"), (3.0, "1000"))
NOISE_MARKS = ((-3.0, "1"), (-2.0, "10"), (-1.0, "100"))
SAMPLES_MARKS = ((1.0, "10"), (2.0, "100"), (3.0, "1000"), (4.0, "10⁴"))
HINTS = {
    "hard": "stops dead at the ground",
    "soft": "a stiff spring and damper",
    "stochastic": "hard, averaged over noise",
    "smoothed": "hard, scaled by a sigmoid",
}

# Progress
PROGRESS = "Samples drawn"
DRAWN = "{drawn} of {samples} samples drawn"
DRAWN_ALL = "all {samples} samples drawn"

# The pictures over the release height
VELOCITY_HEADING = "Final velocity"
VELOCITY_NOTE = "m/s, against the release height (m)"
SLOPE_HEADING = "Its derivative, dv/dh₀"
SLOPE_NOTE = "1/s"
FINAL_HEIGHT_HEADING = "Final height"
FINAL_HEIGHT_NOTE = "m"
HEIGHT_SLOPE_HEADING = "Its derivative, dh/dh₀"
HEIGHT_SLOPE_NOTE = "a pure number"
HEIGHT_AXIS = "release height h₀ (m)"
CURVE = "{name}: lowest {lowest} at {low_at} m, highest {highest} at {high_at} m"
CURVES_DESCRIPTION = "{heading} against release height, from 0 to 0.4 m. {curves}. You are at {here} m: {values}."

# The objective
OBJECTIVE_HEADING = "What noise sees from here"
OBJECTIVE_NOTE = "final velocity (m/s) within four standard deviations of your release height (m)"
OBJECTIVE_DESCRIPTION = (
    "The hard final velocity is a step down at {landing} m. Its exact average under noise of {noise} mm is {average} metres per second "
    "at your release height and changes by {gradient} per second. The zeroth-order estimate from {drawn} samples is {zeroth}, give or "
    "take {error}; the first-order estimate is {first}."
)
EXACT_SLOPE, ZEROTH_SLOPE, FIRST_SLOPE, STEP_CURVE = "exact average", "zeroth order ± error", "first order", "hard"

# The force and the creep
FORCE_HEADING = "Force at a distance"
FORCE_NOTE = "share σ of the impulse, against the gap (cm)"
FORCE_AXIS = "gap (cm)"
FORCE_DESCRIPTION = (
    "The share of the contact impulse against the gap. Hard: none above the ground, all below. Smoothed with sharpness {kappa} per "
    "metre: a half at the ground, {at_one} at a centimetre above it, {at_five} at five. Your mass ends at a gap of {gap} cm, where it is {sigma}."
)
CREEP_HEADING = "A mass at rest sinks"
CREEP_NOTE = "depth (mm) over time (s)"
CREEP_AXIS = "time (s)"
CREEP_SIMULATED, CREEP_CLOSED = "simulated", "closed form"
CREEP_DESCRIPTION = "A smoothed mass at rest sinks by {depth} mm in a second; the closed form gives {closed} mm. A hard one stays where it is."

# Readout tables
ESTIMATES_TITLE = "Estimates of the slope under noise, variances per sample, at the settings above"
CONTACT_TITLE = "The contact, at the settings above"
ROWS = {
    "hard.exact": ("average, exact", "1/s"),
    "hard.zeroth": ("zeroth order", "1/s"),
    "hard.zeroth_variance": ("· variance", "1/s²"),
    "hard.first": ("first order", "1/s"),
    "hard.first_variance": ("· variance", "1/s²"),
    "smoothed.zeroth": ("smoothed, zeroth", "1/s"),
    "smoothed.zeroth_variance": ("· variance", "1/s²"),
    "smoothed.first": ("smoothed, first", "1/s"),
    "smoothed.first_variance": ("· variance", "1/s²"),
    "smoothed.ratio": ("zeroth order needs", "× the samples"),
    "slope.hard": ("dv/dh₀, hard", "1/s"),
    "slope.soft": ("dv/dh₀, soft", "1/s"),
    "slope.smoothed": ("dv/dh₀, smoothed", "1/s"),
    "match.kappa": ("κ that matches", "1/m"),
    "match.mismatch": ("mismatch, rms", "m/s"),
    "match.ratio": ("mismatch to the best", "×"),
    "price.sigma": ("σ where the mass ends", ""),
    "price.creep": ("creep in a second", "mm"),
    "price.closed": ("· closed form", "mm"),
    "price.hover": ("hover height", "mm"),
}
ESTIMATE = "{value} ± {error}"

# Live region
CONSEQUENCE = "{model}: gradient {returned}, of the average {exact}. {drawn}."
