// EM-PC: edges leave the graph by private choices (choice_search.hpp).
#pragma once

#include <cstddef>

#include "privpc/learners/choice_search.hpp"
#include "privpc/learners/paper_settings.hpp"

namespace privpc {

inline Skeleton search_by_choices(const Schema& schema, MarginSource& margins,
                                  const PaperSettings& settings, const Knowledge& knowledge,
                                  Ledger& ledger, RandomBits& bits, Monitor* monitor) {
  const SpendingSettings expected = spending_of(schema.size(), open_pairs(schema.size(), knowledge),
                                                schema.rows(), settings.rounds, {0.7, 1});
  SpendingPlan spending(ledger, expected);
  ChoiceSearch choices(margins, ChoiceSettings(expected.pairs), spending, ledger, bits);
  return choices.run(schema.size(), knowledge, settings.search, monitor);
}

inline Fit em_pc(TableSource& source, const PaperSettings& settings, const Knowledge& knowledge,
                 Ledger& ledger, RandomBits& bits, Monitor* monitor) {
  const auto margins = margins_of(source, settings, bits);
  return learn_by_margins(search_by_choices, source, *margins, settings, knowledge, ledger, bits,
                          monitor);
}

}  // namespace privpc
