// A store of debits that lives in memory, for several ledgers that share it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "privpc/privacy/ledger_store.hpp"

namespace privpc_fuzz {

class MemoryStore : public privpc::LedgerStore {
 public:
  class OpenTurn : public Turn {
   public:
    explicit OpenTurn(MemoryStore& owner) : owner_(owner) {}
    const std::vector<privpc::StoredDebit>& debits() const override { return owner_.debits; }
    void append(const privpc::StoredDebit& debit) override { owner_.debits.push_back(debit); }

   private:
    MemoryStore& owner_;
  };

  std::unique_ptr<Turn> turn_to_write() override { return std::make_unique<OpenTurn>(*this); }
  std::unique_ptr<Turn> turn_to_read() override { return std::make_unique<OpenTurn>(*this); }
  std::string receipt(std::size_t) const override { return ""; }

  std::vector<privpc::StoredDebit> debits;
};

}  // namespace privpc_fuzz
