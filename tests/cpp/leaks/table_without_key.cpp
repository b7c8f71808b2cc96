// Takes a sealed table for the table itself.
// expected: conversion from|no viable conversion
#include <memory>

#include "privpc/counts/memory_tables.hpp"

void leak(privpc::TableSource& source) {
#ifdef LEAK
  std::shared_ptr<const privpc::Table> table = source.table({0, 1});
#else
  privpc::SealedTable table = source.table({0, 1});
#endif
  (void)table;
}
