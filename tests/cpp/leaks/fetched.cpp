// Reads back the counts that an engine has sent.
// expected: is private within this context|is a private member
#include <iostream>

#include "privpc/counts/fetched_tables.hpp"

class Engine : public privpc::FetchedTables {
 public:
  using FetchedTables::FetchedTables;

 protected:
  void count(const std::vector<privpc::VariableSet>& sets, Arrivals& arrivals) override {
    for (std::size_t i = 0; i < sets.size(); ++i)
      arrivals.add(i, 0, 1);
#ifdef LEAK
    std::cout << arrivals.held_[0].filled[0].count;
#endif
  }
};
