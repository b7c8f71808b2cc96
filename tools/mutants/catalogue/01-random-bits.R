# The uniform bits that all noise is made of.
bits <- header("base/random_bits.hpp")
chacha <- header("base/chacha20.hpp")

list(
  mutant(
    "coins-reused", "one bit is used for 64 coins", bits,
    old = "m_.coins >>= 1;", new = "",
    killed_by = cpp_test(
      "test_random_bits", "words, halves and coins come in the order of the stream"
    ),
    quick = TRUE
  ),
  mutant(
    "halves-reused", "the same half word is handed out again and again", bits,
    old = "m_.words[m_.position++]", new = "m_.words[m_.position]",
    killed_by = cpp_test(
      "test_random_bits", "words, halves and coins come in the order of the stream"
    )
  ),
  mutant(
    "words-overlap", "each word shares a half with the next one", bits,
    old = "m_.position += 2;", new = "m_.position += 1;",
    killed_by = cpp_test(
      "test_random_bits", "a seed gives the documented stream, entropy a new one each time"
    )
  ),
  mutant(
    "odd-half-word", "a word at the end of the buffer is made of a half and of zeros", bits,
    old = "m_.position >= kWords - 1 || forked()", new = "m_.position >= kWords || forked()",
    killed_by = cpp_test(
      "test_random_bits", "words, halves and coins come in the order of the stream"
    )
  ),
  mutant(
    "bounded-biased", "words that favour some results are not drawn again", bits,
    old = "product.low < remainder", new = "false",
    killed_by = cpp_test(
      "test_random_bits", "bounded integers are unbiased: all words of eight bits, all bounds"
    ),
    quick = TRUE
  ),
  mutant(
    "bounded-one-more", "one word too few is drawn again", bits,
    old = "product.low < remainder", new = "product.low + 1 < remainder",
    killed_by = cpp_test(
      "test_random_bits", "bounded integers are unbiased: all words of eight bits, all bounds"
    )
  ),
  mutant(
    "fork-repeats", "the child of a fork goes on with the noise of its parent", bits,
    old = "m_.forks != ForkCounter::value() && !m_.reproducible", new = "false",
    killed_by = cpp_test(
      "test_random_bits", "a child of a fork does not repeat the noise of its parent"
    )
  ),
  mutant(
    "fork-keeps-coins", "the child of a fork uses the coins its parent has left", bits,
    old = "m_.coins_left == 0 || forked()", new = "m_.coins_left == 0",
    killed_by = cpp_test(
      "test_random_bits", "a child of a fork does not repeat the noise of its parent"
    )
  ),
  mutant(
    "moved-stream-draws", "a stream that was moved to another place goes on in both", bits,
    after = "RandomBits(RandomBits&& other) noexcept", old = "other.forget();", new = "",
    killed_by = cpp_test("test_random_bits", "random bits are moved, never copied")
  ),
  mutant(
    "seed-called-entropy", "bits from a seed say that they cannot be repeated", bits,
    old = "return RandomBits(stream_of(block), true);",
    new = "return RandomBits(stream_of(block), false);",
    killed_by = cpp_test(
      "test_random_bits", "a seed gives the documented stream, entropy a new one each time"
    )
  ),
  mutant(
    "entropy-is-a-seed", "noise without a seed comes from a fixed one", "src/random_input.h",
    old = "return privpc::RandomBits::from_entropy();",
    new = "return privpc::RandomBits::from_seed(1);",
    killed_by = r_test(
      "test-mechanisms", "a seed repeats, entropy does not, and R's generator is left alone"
    )
  ),
  mutant(
    "stream-starts-again", "the counter of the stream does not move: the same blocks for ever",
    chacha,
    old = "chacha::set_counter(state_, counter + kChaChaBlocks);", new = "",
    killed_by = cpp_test(
      "test_random_bits", "ChaCha20 counts its blocks in 64 bits and never starts again"
    )
  ),
  mutant(
    "nine-double-rounds", "ChaCha with one double round less", chacha,
    old = "round < 10", new = "round < 9",
    killed_by = cpp_test("test_random_bits", "ChaCha20 agrees with RFC 8439")
  ),
  mutant(
    "entropy-cut-short", "a key whose last bytes the operating system did not give is used",
    header("base/entropy.hpp"),
    old = "if (got <= 0 || static_cast<std::size_t>(got) > size) return false;",
    new = "if (got <= 0 || static_cast<std::size_t>(got) > size) return true;",
    killed_by = cpp_test("test_random_bits", "entropy is read to the last byte or refused")
  )
)
