# Graphs with hidden common causes: what would call a cause what is none, or estimate an effect that
# a hidden cause may be behind.
rules <- header("graph/pag_rules.hpp")
rule <- function(name) cpp_test("test_pag", name)
identify <- function(name) r_test("test-pag_identify", name)
visible <- identify("an arrow is visible if something points to its start and not to its end")
adjusts <- identify("what is found adjusts in the true graph, whatever is hidden there")

list(
  mutant(
    "pag-r1-collider", "R1 concludes from triples that may be colliders", rules,
    old = "!arrow(b, a) || !circle(b, c) || !is_chain(a, b, c)",
    new = "!arrow(b, a) || !circle(b, c)",
    killed_by = rule("R1: an arrow that meets no arrow goes on")
  ),
  mutant(
    "pag-unknown-is-chain", "a triple of which nothing is known is called no collider", rules,
    old = "in_separator_(b, a, c).value_or(false)", new = "in_separator_(b, a, c).value_or(true)",
    killed_by = rule("R1: an arrow that meets no arrow goes on")
  ),
  mutant(
    "pag-r2-any", "R2 asks for no tail on the way", rules,
    old = "tail(a, b) || tail(b, c)", new = "true",
    killed_by = rule("R2: what comes after an effect is no cause")
  ),
  mutant(
    "pag-r3-half", "R3 asks for one arrow into the collider", rules,
    old = "!arrow(b, a) || !arrow(b, c)", new = "!arrow(b, a)",
    killed_by = rule("R3: a second way into a collider")
  ),
  mutant(
    "pag-r4-turned", "R4 makes a collider of what separated", rules, old = "*between",
    new = "!*between",
    killed_by = rule("R4: a discriminating path tells what its last node but one is")
  ),
  mutant(
    "pag-r8-any", "R8 takes any edge for an effect", rules,
    old = "adjacent(b, c) && graph_.is_arc(b, c)", new = "adjacent(b, c)",
    killed_by = rule("R8: a cause of a cause is a cause")
  ),
  mutant(
    "pag-r9-covered", "R9 starts with triangles", rules,
    old = "b == c || !is_chain(b, a, c) || !may_lead(a, b)", new = "b == c || !may_lead(a, b)",
    killed_by = rule("R9: a path that may be directed all the way")
  ),
  mutant(
    "pag-marks-overwritten", "marks that were set are changed", rules,
    old = "if (!circle(b, a)) return;",
    new = "if (graph_.mark_at(b, a) == mark) return;",
    killed_by = rule("the rules turn circles into marks and change nothing else")
  ),
  mutant(
    "pag-always-visible", "every arrow is called visible", "R/pag_identify.R",
    old = "seen <- reached <- a", new = "return(TRUE)", killed_by = visible, quick = TRUE
  ),
  mutant(
    "pag-visible-near", "what is adjacent to the effect makes an arrow visible",
    "R/pag_identify.R", old = "marks[, b] == 0L & rownames(marks) != b",
    new = "rownames(marks) != b", killed_by = visible
  ),
  mutant(
    "pag-amenable", "effects are estimated although a hidden cause may be behind them",
    "R/pag_identify.R",
    old = "length(paths$unclear)", new = "FALSE", killed_by = adjusts
  ),
  mutant(
    "pag-forbidden-adjusted", "effects of the exposure may be adjusted for", "R/pag_identify.R",
    old = "unique(c(possible_descendants(may, paths$first), exposure, outcome))",
    new = "c(exposure, outcome)", killed_by = adjusts
  ),
  mutant(
    "pag-hidden-not-there", "hidden causes do not keep paths open", "R/pag_identify.R",
    old = "full[cbind(hidden, shared[, 2L])] <- 1L", new = "full[cbind(hidden, shared[, 1L])] <- 1L",
    killed_by = adjusts
  )
)
