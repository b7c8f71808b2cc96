// Any text: a complete network or a BifError with a line of the text, nothing else.
#include <algorithm>
#include <string>

#include "bif_samples.h"
#include "fuzz_target.h"

FUZZ_TARGET(bif_text) {
  const std::string text = input.rest();
  privpc::BayesNet net;
  try {
    net = privpc::parse_bif(text);
  } catch (const privpc::BifError& error) {
    const auto ends =
        std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; });
    FUZZ_CHECK(error.line() >= 1 && error.line() <= static_cast<std::size_t>(ends) + 1);
    FUZZ_CHECK(error.what()[0] != '\0');
    return;
  }
  privpc_fuzz::check_net(net);
}
