# Ledgers in files: what would lose a debit, grant one twice, or trust a file that it should not.
text <- header("privacy/ledger_text.hpp")
file <- header("privacy/ledger_file.hpp")
locked <- header("base/locked_file.hpp")
ledger <- header("privacy/ledger.hpp")
flushed <- cpp_test(
  "test_ledger_file", "a debit is flushed before it returns, and before it is counted"
)
cut <- cpp_test(
  "test_ledger_text", "a ledger that was cut counts what can be read of it, or is refused"
)
older <- cpp_test("test_ledger_file", "an older copy is refused by everyone who saw a later state")
together <- cpp_test(
  "test_ledger_file", "threads and processes together take no more than there is"
)
full <- cpp_test("test_ledger_file", "a full disk refuses the step and leaves the ledger sound")

list(
  mutant(
    "file-not-flushed", "a debit returns before the disk has confirmed it", locked,
    old = "return calls.flush(file) == 0 ? 0 : errno;", new = "return 0;", killed_by = flushed,
    quick = TRUE
  ),
  mutant(
    "file-flush-ignored", "a flush that failed is taken for one that did not", locked,
    old = "calls.flush(file) == 0 ? 0 : errno", new = "(calls.flush(file), 0)", killed_by = flushed
  ),
  mutant(
    "file-not-written", "a debit is counted in memory and not written to the file", ledger,
    old = "if (turn) turn->append(debit);", new = "",
    killed_by = cpp_test("test_ledger_file", "a ledger in a file goes on where it ended")
  ),
  mutant(
    "file-not-read-first", "a debit does not look at what others took", ledger,
    old = "if (turn) take_over(turn->debits());", new = "",
    killed_by = cpp_test("test_ledger_file", "several objects on one file see each other")
  ),
  mutant(
    "file-shared-lock", "writers lock as readers do", locked,
    old = "(alone ? LOCK_EX : LOCK_SH) | LOCK_NB", new = "LOCK_SH | LOCK_NB",
    killed_by = cpp_test("test_ledger_file", "a lock that somebody keeps is an error after a while")
  ),
  mutant(
    "locks-not-tried", "a disk without locks is accepted", file,
    old = "!LockedFile::locks_work(path_, patience_, calls_)", new = "false",
    killed_by = cpp_test("test_ledger_file", "a disk on which locks keep nobody out is refused")
  ),
  mutant(
    "file-locked-for-reading", "a turn to write is one to read", file,
    after = "std::unique_ptr<Turn> turn_to_write()",
    old = "LockedFile::Access::append", new = "LockedFile::Access::read", killed_by = together
  ),
  mutant(
    "file-part-left", "what a full disk took of a line stays there", locked,
    old = "    cut(size);", new = "", killed_by = full
  ),
  mutant(
    "file-short-write", "a line that was written in part is taken for a whole one", locked,
    old = "done += static_cast<std::size_t>(wrote);", new = "done = bytes.size();", killed_by = full
  ),
  mutant(
    "chain-not-checked", "the hash of a line is not compared", text,
    old = "line.substr(sealed, hash_size) != hash", new = "false",
    killed_by = cpp_test(
      "test_ledger_text", "the end of a torn line may be torn as often as it likes"
    )
  ),
  mutant(
    "amounts-not-checked", "amounts of a torn line are trusted without their check", text,
    old = "!starts_with(line, head_of(entry, debit, before))", new = "false",
    killed_by = cpp_test(
      "test_ledger_text", "a torn line that was filled with something else has to have its amounts"
    )
  ),
  mutant(
    "torn-free", "a torn line takes nothing", text,
    after = "if (!torn) throw BadLedger(", old = "book.debits.push_back(*torn);", new = "",
    killed_by = cut, quick = TRUE
  ),
  mutant(
    "torn-ignored", "a torn line that cannot be read is taken for nothing", text,
    old = "if (!torn) throw BadLedger(entry > 0 ? Problem::torn : Problem::damaged, entry);",
    new = "if (!torn) return;", killed_by = cut
  ),
  mutant(
    "other-spelling", "a line is not compared with how a ledger writes it", text,
    old = "debit_line(entry, *debit, pure, before) != line", new = "false",
    killed_by = cpp_test(
      "test_ledger_text", "a number that was edited is refused although it was sealed anew"
    )
  ),
  mutant(
    "older-copy", "a file that has lost lines is accepted", file,
    old = "if (!continues) throw BadLedger(BadLedger::Problem::rolled_back, seen.debits);", new = "",
    killed_by = older
  ),
  mutant(
    "other-lines", "a file with other lines of the same number is accepted", file,
    old = "(seen.lines == 0 || book.hashes[seen.lines - 1] == seen.hash)", new = "true",
    killed_by = older
  ),
  mutant(
    "other-ledger", "another ledger in the place of the one that was opened is accepted", file,
    old = "!owner_.id_.empty() && book_.id != owner_.id_", new = "false", killed_by = older
  ),
  mutant(
    "file-overspent", "a file that lists more than its cap is accepted", ledger,
    old = "!amounts_.fits(debits[i].units) || !deltas_.fits(debits[i].delta_units)", new = "false",
    killed_by = cpp_test("test_ledger_file", "debits beyond the cap are no ledger")
  ),
  mutant(
    "file-replaced", "who creates a ledger replaces one that is there", locked,
    old = "::link(from.c_str(), to.c_str())", new = "::rename(from.c_str(), to.c_str())",
    killed_by = cpp_test("test_ledger_file", "two who create the same file get one")
  ),
  mutant(
    "other-promise", "a budget states another promise than its file", "R/ledger_file.R",
    old = "!identical(asked, there[names(asked)])", new = "FALSE",
    killed_by = r_test(
      "test-ledger_file", "another promise than that of the file is refused, and both are shown"
    ), quick = TRUE
  ),
  mutant(
    "kept-cap", "a file may allow more than its promise", "R/ledger_file.R",
    old = "kept$cap <= most * (1 + 1e-9)", new = "TRUE",
    killed_by = r_test("test-ledger_file", "a file that allows more than its promise is refused"),
    quick = TRUE
  ),
  mutant(
    "changed-file-budget", "a budget with a file that was changed by hand is accepted", "R/budget.R",
    old = "return(if (same) \"ok\" else \"changed\")", new = "return(\"ok\")",
    killed_by = r_test(
      "test-ledger_file", "a budget with a file that was changed by hand is refused"
    ), quick = TRUE
  )
)
