// Looks at what a source of fetched tables holds, from a class that is derived from it.
// expected: is private within this context|is a private member
#include <iostream>

#include "privpc/counts/fetched_tables.hpp"

class Engine : public privpc::FetchedTables {
 public:
  using FetchedTables::FetchedTables;
#ifdef LEAK
  void leak() const {
    std::cout << held_[0]->filled[0].count;
  }
#else
  void stay() const {
    std::cout << stage();
  }
#endif

 protected:
  void count(const std::vector<privpc::VariableSet>&, Arrivals&) override {}
};
