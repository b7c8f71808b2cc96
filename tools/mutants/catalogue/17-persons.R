# Several records per person: what would let a person weigh more than one, or let one person's records
# change what is counted of another's, or call a promise about records one to persons.
kept <- header("counts/kept_records.hpp")
tables <- header("counts/person_tables.hpp")
persons_test <- function(name) cpp_test("test_persons", name)
own_alone <- persons_test("which records are kept depends on the person's own records alone")
in_r <- function(name) r_test("test-persons", name)

list(
  mutant(
    "person-weight", "each record of a person weighs as much as a person with one", tables,
    old = "unit_ / static_cast<Count>(m)", new = "unit_",
    killed_by = persons_test("tables of persons are means of the tables of their records")
  ),
  mutant(
    "person-most", "all records of a person are kept, not max_records of them", kept,
    old = "own.resize(most);", new = "", killed_by = own_alone
  ),
  mutant(
    "person-rule-of-numbers", "which records are kept depends on how many others come before", kept,
    old = "input_.ids[person]", new = "std::to_string(person)", killed_by = own_alone
  ),
  mutant(
    "person-rule-of-places", "which records are kept depends on their place among all records", kept,
    old = "times != 0 ? times < 0 : by_levels(a, b)", new = "times != 0 ? times < 0 : a > b",
    killed_by = persons_test(
      "the earliest records are kept, a missing time last, ties by levels"
    )
  ),
  mutant(
    "person-hash-of-copies", "copies of a record share a hash, and a frequent level is kept too seldom",
    kept, old = "text + '|' + std::to_string(copy)", new = "text",
    killed_by = persons_test("records are kept by the hash of id, levels and copy")
  ),
  mutant(
    "person-unit-batch", "noise of a batch is for one unit of a person's weight, not for all of it",
    header("statistic/interaction_contrasts.hpp"), old = "as_real(source.unit())", new = "1.0",
    killed_by = persons_test(
      "a whole person moves a batch by at most what is stated: every person and neighbour"
    )
  ),
  mutant(
    "person-unit-pairs", "scores of pairs are noised for one unit of a person's weight",
    header("statistic/pair_scores.hpp"), old = "kPairScoreByReplacing * as_real(source.unit())",
    new = "kPairScoreByReplacing",
    killed_by = persons_test("a whole person moves a pair's score by at most what is stated")
  ),
  mutant(
    "person-weights-tested", "statistics with bounds for records take weights",
    header("statistic/strata_sum.hpp"),
    old = "if (source.unit() != 1) throw NeedsRows(\"a test that counts records\");", new = "",
    killed_by = persons_test("statistics of records refuse weights")
  ),
  mutant(
    "person-records-lost", "records that do not make up whole persons are counted", tables,
    old = "records[m] % m != 0", new = "false",
    killed_by = persons_test("kept records that do not fit together are refused")
  ),
  mutant(
    "persons-counted", "the number of records is taken for that of persons", tables,
    old = "persons != schema_.rows()", new = "false",
    killed_by = persons_test("kept records that do not fit together are refused")
  ),
  mutant(
    "person-id-missing", "records that are nobody's are one person's", "R/persons.R",
    old = "anyNA(texts) || !all(nzchar(texts))", new = "FALSE",
    killed_by = in_r("a record that is nobody's is refused before anything is spent"), quick = TRUE
  ),
  mutant(
    "person-id-missing-in-engine", "a data base counts records that are nobody's",
    "R/counted_source.R", old = "isTRUE(opened$without_id)", new = "FALSE",
    killed_by = in_r("a data base finds records that are nobody's")
  ),
  mutant(
    "person-step-per-record", "a step per record is paid for, and stated, as one per person",
    "R/persons.R", old = "if (is.null(persons)) \"record\" else \"person\"", new = "\"person\"",
    killed_by = in_r("a budget for persons pays for steps that name them, and for no others"),
    quick = TRUE
  ),
  mutant(
    "person-gap-not-kept", "a missing value in a record that is not kept is not seen", "R/persons.R",
    after = "keep_records <- function", old = "check_complete(source, call)", new = "NULL",
    killed_by = in_r("a value that is missing in any record is refused, kept or not")
  ),
  mutant(
    "person-breaks-of-records", "cut points are chosen from all records of a person",
    "R/private_breaks.R", old = "one_of_each(numbers, data, persons, call)", new = "numbers",
    killed_by = in_r("cut points are chosen from one record of each person")
  ),
  mutant(
    "person-in-two-parts", "a person whose records are in two parts of a file counts as two",
    "R/chunk_persons.R", old = "records$id == records$id[[length(records$id)]]",
    new = "logical(length(records$id))",
    killed_by = in_r("parts that end inside a person give the fit of a data frame")
  ),
  mutant(
    "person-equal-numbers", "ids that are equal as numbers may come in turns, and count again",
    "R/chunk_persons.R", old = "all(same | number[-1L] > number[-length(id)])",
    new = "!is.unsorted(number)",
    killed_by = in_r("nobody who comes twice in a file is counted as two")
  ),
  mutant(
    "person-most-in-sql", "a data base counts all records of a person", "R/engine_persons.R",
    after = "name(\"numbered\"), \" WHERE \"", old = "statements$persons$max_records",
    new = "1000000000",
    killed_by = in_r("SQLite counts persons as a data frame does, and needs first_by")
  ),
  mutant(
    "person-weight-in-sql", "in a data base each record weighs as much as a person",
    "R/engine_persons.R", old = "cpp_person_unit(most) / seq_len(most)",
    new = "rep(cpp_person_unit(most), most)",
    killed_by = in_r("SQLite counts persons as a data frame does, and needs first_by")
  ),
  mutant(
    "records-counted-in-sql", "a data base says the number of records for that of persons",
    "R/engine_sql.R", old = "paste0(\"COUNT(DISTINCT \", id, \")\")", new = "\"COUNT(*)\"",
    killed_by = in_r("SQLite counts persons as a data frame does, and needs first_by")
  ),
  mutant(
    "id-names-run", "the name of a column is run as code when a hint shows it", "R/persons.R",
    old = "gsub(\"([{}])\", \"\\\\1\\\\1\", found[[1L]])", new = "found[[1L]]",
    killed_by = in_r("names of columns are shown, and never run")
  )
)
