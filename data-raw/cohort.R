# Makes inst/extdata/cohort.csv.gz, the simulated health survey of README and the vignettes, and
# inst/extdata/cohort_risks.csv, the true risks of a heart attack with and without smoking. The
# truth behind it: education shapes smoking and exercise, exercise shapes weight, weight and age
# raise blood pressure; smoking, blood pressure and diabetes cause heart attacks, which cause chest
# pain; smoking also causes cough. Run it in the top folder of the project.

# `smoking` = TRUE or FALSE makes everybody smoke, or nobody.
simulate_cohort <- function(n, smoking = NULL) {
  chance <- function(x) rbinom(n, 1, plogis(x)) == 1
  age <- round(runif(n, 35, 80))
  sex <- sample(c("female", "male"), n, replace = TRUE)
  schooling <- sample(c(-1, 0, 1), n, replace = TRUE, prob = c(0.3, 0.45, 0.25))
  education <- c("low", "middle", "high")[schooling + 2]
  own_choice <- chance(-0.9 - 0.9 * schooling + 0.6 * (sex == "male"))
  smoking <- if (is.null(smoking)) own_choice else rep(smoking, n)
  exercise <- chance(-0.3 + 0.9 * schooling)
  bmi <- round(26.5 - 2.5 * exercise + rnorm(n, sd = 3.5), 1)
  diabetes <- chance(-2.6 + 0.22 * (bmi - 26))
  pressure <- round(118 + 0.5 * (age - 55) + 1.4 * (bmi - 26) + rnorm(n, sd = 12))
  infarction <- chance(-4 + 1.1 * smoking + 0.035 * (pressure - 120) + 0.9 * diabetes)
  chest_pain <- chance(-2.2 + 2.6 * infarction)
  cough <- chance(-2 + 1.8 * smoking)
  yes_no <- function(x) ifelse(x, "yes", "no")
  data.frame(
    age, sex, education, smoking = yes_no(smoking), exercise = yes_no(exercise), bmi,
    diabetes = yes_no(diabetes), pressure, infarction = yes_no(infarction),
    chest_pain = yes_no(chest_pain), cough = yes_no(cough)
  )
}

set.seed(20)
file <- gzfile(file.path("inst", "extdata", "cohort.csv.gz"), compression = 9)
write.csv(simulate_cohort(60000), file, row.names = FALSE, quote = FALSE)

# The truth about smoking, from two million people of each kind.
people <- 2e6
risks <- vapply(c(no = FALSE, yes = TRUE), function(smoking) {
  mean(simulate_cohort(people, smoking)$infarction == "yes")
}, 0)
write.csv(
  data.frame(smoking = names(risks), infarction = risks),
  file.path("inst", "extdata", "cohort_risks.csv"), row.names = FALSE, quote = FALSE
)
