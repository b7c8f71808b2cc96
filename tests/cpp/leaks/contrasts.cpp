// Takes the contrasts of a batch without a mechanism.
// expected: conversion from|no viable conversion
#include <vector>

#include "privpc/statistic/interaction_contrasts.hpp"

void leak(privpc::TableSource& source, const privpc::Batch& batch) {
  const auto contrasts = privpc::BatchContrasts::of(source, batch, source.schema());
#ifdef LEAK
  const std::vector<std::int64_t> values = contrasts;
#else
  const double values = contrasts.sensitivity();
#endif
  (void)values;
}
