// Scores of variables that were worked out before, with their coefficients. A search by score comes
// back to the same variable with the same parents and covariances again and again; where it has
// many levels, to look whether it did costs next to nothing.
//
// What a score depends on is told by a fingerprint of 128 bits. Two that differ have the same one
// with a chance of about 1 in 10^38.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unordered_map>

#include "privpc/marginals/linear_algebra.hpp"

namespace privpc {

class Fingerprint {
 public:
  void add(std::uint64_t word) {
    one_ = (one_ ^ word) * 0x9E3779B97F4A7C15ull;
    one_ ^= one_ >> 32;
    other_ = (other_ + word) * 0xD6E8FEB86659FD93ull;
    other_ ^= other_ >> 29;
  }
  void add(const double* numbers, Index count) {
    for (Index i = 0; i < count; ++i) {
      std::uint64_t word;
      std::memcpy(&word, numbers + i, sizeof word);
      add(word);
    }
  }

  bool operator==(const Fingerprint& other) const {
    return one_ == other.one_ && other_ == other.other_;
  }
  struct Hash {
    std::size_t operator()(const Fingerprint& print) const {
      return static_cast<std::size_t>(print.one_ ^ print.other_);
    }
  };

 private:
  std::uint64_t one_ = 0x243F6A8885A308D3ull, other_ = 0x13198A2E03707344ull;
};

struct KeptScore {
  double score;
  Matrix beta;  // columns x contrasts
};

class KeptScores {
 public:
  const KeptScore* find(const Fingerprint& of) const {
    const auto found = kept_.find(of);
    return found == kept_.end() ? nullptr : &found->second;
  }

  void keep(const Fingerprint& of, double score, const Eigen::Ref<const Matrix>& beta) {
    if (numbers_ > kMostNumbers) {
      kept_.clear();
      numbers_ = 0;
    }
    kept_.insert_or_assign(of, KeptScore{score, beta});
    numbers_ += static_cast<std::size_t>(beta.size());
  }

 private:
  static constexpr std::size_t kMostNumbers = std::size_t{1} << 20;  // 8 MB

  std::unordered_map<Fingerprint, KeptScore, Fingerprint::Hash> kept_;
  std::size_t numbers_ = 0;
};

}  // namespace privpc
