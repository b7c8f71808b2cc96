// Errors that a caller can answer, each a class of its own with a public name: whoever words them
// for a reader asks for the name and the facts, never for words in the text. Mistakes of the code
// that calls (a negative size, a set named twice) stay plain std:: exceptions.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace privpc {

class NamedError : public std::runtime_error {
 public:
  // Small letters and underscores, such as "overdraft".
  virtual const char* name() const noexcept = 0;

  // What an answer may need beside the text. Only what is public may stand here.
  using Texts = std::vector<std::pair<std::string, std::string>>;
  using Numbers = std::vector<std::pair<std::string, double>>;
  virtual Texts texts() const { return {}; }
  virtual Numbers numbers() const { return {}; }

 protected:
  using std::runtime_error::runtime_error;
};

}  // namespace privpc
