# Ten sets of real records from packages of R, each with what an epidemiologist would declare from
# public knowledge: cut points that are round numbers of the field, levels from the codebook, what
# came before what. test-real_pages.R and bench/real_pages.R go with them from records to page.

# Without loading the package, whose dependencies may be missing. NULL if it is not installed.
data_of <- function(package, name, file = name) {
  if (!nzchar(system.file(package = package))) return(NULL)
  place <- new.env()
  utils::data(list = file, package = package, envir = place)
  as.data.frame(place[[name]])
}

# `data`, the arguments of marginal_pc(), and the levels that the page speaks of. `missing` are the
# columns whose codebook has missing values: a level of its own for each.
real_set <- function(data, ..., missing = NULL, event = NULL, reference = NULL, about) {
  na <- if (is.null(missing)) "error" else stats::setNames(rep("level", length(missing)), missing)
  list(
    data = data, arguments = list(na = na, ...), event = event, reference = reference, about = about
  )
}

# Each a function, so that only the sets that are asked for are read; NULL where the package is not
# installed.
real_sets <- list(
  NHANES = function() {
    data <- data_of("NHANES", "NHANES")
    if (is.null(data)) return(NULL)
    first <- c("SurveyYr", "Gender", "Age", "Race1")
    asked <- c(
      "MaritalStatus", "Poverty", "HomeOwn", "Work", "BMI", "Pulse", "BPSysAve", "BPDiaAve",
      "DirectChol", "TotChol", "Diabetes", "HealthGen", "DaysMentHlthBad", "LittleInterest",
      "Depressed", "SleepHrsNight", "SleepTrouble", "PhysActive", "AlcoholYear", "Smoke100",
      "Marijuana"
    )
    # The survey asks most of these of adults only, which its codebook says. People are in the file
    # several times, to make it a sample of the population.
    real_set(
      data[data$Age >= 20, c("ID", first, "Education", asked)], id = "ID", max_records = 1,
      missing = c("Education", setdiff(asked, c("PhysActive", "Smoke100"))),
      breaks = list(
        Age = c(20, 29, 39, 49, 59, 69, Inf), Poverty = c(0, 1, 2, 4, Inf),
        BMI = c(-Inf, 18.5, 25, 30, 35, Inf), Pulse = c(-Inf, 60, 70, 80, 90, Inf),
        BPSysAve = c(-Inf, 120, 130, 140, 160, Inf), BPDiaAve = c(-Inf, 70, 80, 90, Inf),
        DirectChol = c(-Inf, 1, 1.3, 1.6, Inf), TotChol = c(-Inf, 4, 5, 6, Inf),
        DaysMentHlthBad = c(-Inf, 0, 7, 14, Inf), SleepHrsNight = c(-Inf, 5, 6, 7, 8, Inf),
        AlcoholYear = c(-Inf, 0, 12, 52, 156, Inf)
      ),
      tiers = list(first, "Education", asked),
      event = list(Diabetes = "Yes", Depressed = "Most", SleepTrouble = "Yes", BMI = "> 35"),
      reference = list(Gender = "male", Race1 = "White", HomeOwn = "Own"),
      about = "NHANES 2009 to 2012, adults"
    )
  },
  flchain = function() {
    data <- data_of("survival", "flchain")
    if (is.null(data)) return(NULL)
    for (name in c("mgus", "death")) data[[name]] <- factor(data[[name]], 0:1, c("no", "yes"))
    first <- c("age", "sex", "sample.yr")
    blood <- c("kappa", "lambda", "creatinine", "mgus")
    real_set(
      data[c(first, blood, "death")], missing = "creatinine",
      breaks = list(
        age = c(50, 59, 69, 79, Inf), sample.yr = c(-Inf, 1996, 1998, 2000, Inf),
        kappa = c(0, 0.5, 1, 1.5, 2, 3, Inf), lambda = c(0, 0.5, 1, 1.5, 2, 3, Inf),
        creatinine = c(0, 0.8, 1, 1.2, 1.5, Inf)
      ),
      tiers = list(first, blood, "death"), event = list(death = "yes"), reference = list(sex = "M"),
      about = "Free light chains in the blood, Olmsted County"
    )
  },
  nafld1 = function() {
    data <- data_of("survival", "nafld1", "nafld")
    if (is.null(data)) return(NULL)
    case <- !is.na(data$case.id) & data$case.id == data$id
    data$nafld <- factor(case, c(FALSE, TRUE), c("no", "yes"))
    data$male <- factor(data$male, 0:1, c("no", "yes"))
    data$status <- factor(data$status, 0:1, c("alive", "dead"))
    real_set(
      data[c("age", "male", "weight", "height", "bmi", "nafld", "futime", "status")],
      missing = c("weight", "height", "bmi"),
      breaks = list(
        age = c(18, 29, 39, 49, 59, 69, 79, Inf), weight = c(0, 60, 75, 90, 105, Inf),
        height = c(0, 160, 170, 180, Inf), bmi = c(0, 18.5, 25, 30, 35, Inf),
        futime = c(0, 1000, 2000, 3000, 4000, Inf)
      ),
      tiers = list(c("age", "male", "height"), c("weight", "bmi"), "nafld", c("futime", "status")),
      event = list(nafld = "yes"), reference = list(bmi = "(18.5,25]"),
      about = "Non-alcoholic fatty liver disease, Olmsted County"
    )
  },
  HealthInsurance = function() {
    data <- data_of("AER", "HealthInsurance")
    if (is.null(data)) return(NULL)
    real_set(
      data,
      breaks = list(age = c(18, 25, 34, 44, 54, Inf), family = c(0, 1, 2, 3, 4, Inf)),
      tiers = list(c("age", "gender", "ethnicity"), c("region", "education"), c(
        "married", "family", "selfemp", "insurance", "health", "limit"
      )),
      event = list(health = "no"), reference = list(ethnicity = "cauc", education = "highschool"),
      about = "Medical Expenditure Panel Survey 1996"
    )
  },
  GSSvocab = function() {
    data <- data_of("carData", "GSSvocab")
    if (is.null(data)) return(NULL)
    real_set(
      data[c("year", "gender", "nativeBorn", "age", "educ", "vocab")],
      missing = c("nativeBorn", "age", "educ", "vocab"),
      breaks = list(
        vocab = c(0, 3, 5, 6, 7, 8, Inf), age = c(18, 29, 39, 49, 59, 69, Inf),
        educ = c(0, 8, 11, 12, 15, 16, Inf)
      ),
      tiers = list(c("year", "gender", "nativeBorn", "age"), "educ", "vocab"),
      event = list(vocab = "> 8"), reference = list(educ = "(11,12]"),
      about = "General Social Survey 1978 to 2016"
    )
  },
  diamonds = function() {
    data <- data_of("ggplot2", "diamonds")
    if (is.null(data)) return(NULL)
    real_set(
      data,
      breaks = list(
        carat = c(0, 0.3, 0.5, 0.7, 1, 1.5, 2, Inf), depth = c(-Inf, 60, 61, 62, 63, Inf),
        table = c(-Inf, 55, 57, 59, 61, Inf), price = c(0, 500, 1000, 2000, 5000, 10000, Inf),
        x = c(-Inf, 4, 5, 6, 7, 8, Inf), y = c(-Inf, 4, 5, 6, 7, 8, Inf),
        z = c(-Inf, 2.5, 3, 3.5, 4, 5, Inf)
      ),
      event = list(cut = "Ideal"), reference = list(clarity = "VS2"), about = "Prices of diamonds"
    )
  },
  flights = function() {
    data <- data_of("nycflights13", "flights")
    if (is.null(data)) return(NULL)
    first <- c("month", "sched_dep_time", "carrier", "origin", "distance")
    real_set(
      data[c(first, "dep_delay", "air_time", "arr_delay")],
      missing = c("dep_delay", "air_time", "arr_delay"),
      breaks = list(
        month = c(1, 3, 6, 9, 12), sched_dep_time = c(0, 859, 1159, 1459, 1759, 2359),
        dep_delay = c(-Inf, 0, 15, 60, Inf), arr_delay = c(-Inf, 0, 15, 60, Inf),
        air_time = c(0, 60, 120, 180, 300, Inf), distance = c(0, 500, 1000, 1500, 2500, Inf)
      ),
      levels = list(
        carrier = c("AA", "B6", "DL", "EV", "MQ", "UA", "US", "WN"),
        origin = c("EWR", "JFK", "LGA")
      ),
      other = c(carrier = "other"), tiers = list(first, "dep_delay", "air_time", "arr_delay"),
      event = list(arr_delay = "> 60", dep_delay = "> 60"), reference = list(carrier = "UA"),
      about = "Flights from New York in 2013"
    )
  },
  coronary = function() {
    data <- data_of("bnlearn", "coronary")
    if (is.null(data)) return(NULL)
    real_set(
      data, event = list(Pressure = ">140"), reference = list(Smoking = "no"),
      about = "Car workers in Prague"
    )
  },
  Chile = function() {
    data <- data_of("carData", "Chile")
    if (is.null(data)) return(NULL)
    first <- c("region", "population", "sex", "age")
    real_set(
      data, missing = c("age", "education", "income", "statusquo", "vote"),
      breaks = list(
        population = c(0, 10000, 50000, 100000, 200000, Inf), age = c(18, 24, 34, 44, 54, 64, Inf),
        income = c(0, 5000, 10000, 20000, 50000, Inf), statusquo = c(-Inf, -1, 0, 1, Inf)
      ),
      tiers = list(first, c("education", "income"), c("statusquo", "vote")),
      event = list(vote = "Y"), reference = list(education = "S"),
      about = "Voting intentions in Chile, 1988"
    )
  },
  birthwt = function() {
    data <- data_of("MASS", "birthwt")
    if (is.null(data)) return(NULL)
    real_set(
      data[names(data) != "bwt"],
      levels = list(low = 0:1, race = 1:3, smoke = 0:1, ht = 0:1, ui = 0:1),
      breaks = list(
        age = c(0, 19, 24, 29, Inf), lwt = c(0, 110, 130, 150, Inf), ptl = c(-Inf, 0, Inf),
        ftv = c(-Inf, 0, 1, Inf)
      ),
      tiers = list(c("age", "race"), c("lwt", "smoke", "ptl", "ht"), c("ui", "ftv"), "low"),
      event = list(low = "1"), reference = list(race = "1"),
      about = "Births at Baystate Medical Center, 1986"
    )
  }
)
