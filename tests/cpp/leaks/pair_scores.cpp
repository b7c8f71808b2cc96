// Reads how far pairs are from a model without a mechanism.
// expected: conversion from|no viable conversion
#include "privpc/statistic/pair_scores.hpp"

#include <vector>

void leak(privpc::TableSource& source, const privpc::PairModel& model) {
  const auto scores = privpc::PairScores::of(source, {privpc::VariableSet{0, 1}}, model);
#ifdef LEAK
  const std::vector<double> values = scores;
#else
  const double values = scores.sensitivity();
#endif
  (void)values;
}
