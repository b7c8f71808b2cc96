// Cuts the text of a BIF file into words and symbols, and keeps the line numbers.
#pragma once

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace privpc {

// The only exception the BIF reader throws for bad text; what() names no file, the caller does.
class BifError : public std::runtime_error {
 public:
  BifError(std::size_t line, const std::string& message)
      : std::runtime_error(message), line_(line) {}

  std::size_t line() const { return line_; }

 private:
  std::size_t line_;
};

struct BifToken {
  enum class Kind { word, quoted, symbol, end };

  Kind kind = Kind::end;
  std::string_view text;
  std::size_t line = 1;
  bool after_comma = false;

  bool is_name() const { return kind == Kind::word || kind == Kind::quoted; }
  bool is_word(std::string_view expected) const { return kind == Kind::word && text == expected; }
  bool is_symbol(char expected) const { return kind == Kind::symbol && text[0] == expected; }

  // For messages: what stands in the file, cut short.
  std::string description() const {
    if (kind == Kind::end) return "the end of the file";
    constexpr std::size_t longest = 40;
    std::string shown(text.substr(0, longest));
    // Do not cut a UTF-8 character in two.
    if (text.size() > longest) {
      while (!shown.empty() && (static_cast<unsigned char>(text[shown.size()]) & 0xC0) == 0x80) {
        shown.pop_back();
      }
      shown += "...";
    }
    return "`" + shown + "`";
  }
};

// Words are wider than in the BIF 0.15 text, which allows letters, digits, `_` and `-`: files in
// use have levels such as `<5`, `12+`, `Asy/Patch` and `>=7.5`. Everything but white space, a
// double quote and `{ } ( ) [ ] ; , |` belongs to a word. Commas only separate (BIF 0.15 says to
// ignore them between tokens); whether there was one is remembered in the token after it.
class BifLexer {
 public:
  // `text` must outlive the lexer and its tokens.
  explicit BifLexer(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
    check_is_text();
    read();
  }

  const BifToken& peek() const { return token_; }

  BifToken next() {
    const BifToken current = token_;
    read();
    return current;
  }

  // Call when peek() is the word `property`. A property runs to the next `;`, whatever stands in
  // between: a `//` in it is part of an address, not a comment.
  void skip_property() {
    const std::size_t start_line = token_.line;
    while (position_ < text_.size() && text_[position_] != ';')
      advance();
    if (position_ == text_.size()) {
      throw BifError(line_, "the `property` that starts in line " + std::to_string(start_line) +
                                " is not ended by `;`");
    }
    advance();
    read();
  }

 private:
  static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
  }

  static bool is_symbol(char c) {
    return std::string_view("{}()[];|").find(c) != std::string_view::npos;
  }

  bool at_comment() const {
    return position_ + 1 < text_.size() && text_[position_] == '/' &&
           (text_[position_ + 1] == '/' || text_[position_ + 1] == '*');
  }

  // Lines end with \n, \r\n or \r alone.
  bool ends_line(std::size_t at) const {
    return text_[at] == '\n' ||
           (text_[at] == '\r' && !(at + 1 < text_.size() && text_[at + 1] == '\n'));
  }

  void advance() {
    if (ends_line(position_)) ++line_;
    ++position_;
  }

  void skip_comment() {
    const std::size_t start_line = line_;
    const bool to_end_of_line = text_[position_ + 1] == '/';
    position_ += 2;
    if (to_end_of_line) {
      while (position_ < text_.size() && !ends_line(position_))
        advance();
      return;
    }
    while (text_.substr(position_, 2) != "*/") {
      if (position_ == text_.size()) {
        throw BifError(line_, "the comment that starts in line " + std::to_string(start_line) +
                                  " is not ended by `*/`");
      }
      advance();
    }
    position_ += 2;
  }

  void read() {
    token_ = BifToken();
    while (position_ < text_.size()) {
      if (at_comment()) {
        skip_comment();
      } else if (is_space(text_[position_])) {
        advance();
      } else if (text_[position_] == ',') {
        token_.after_comma = true;
        advance();
      } else {
        break;
      }
    }
    token_.line = line_;
    if (position_ == text_.size()) return;
    const std::size_t start = position_;
    if (text_[start] == '"') {
      read_quoted();
    } else if (is_symbol(text_[start])) {
      token_.kind = BifToken::Kind::symbol;
      token_.text = text_.substr(start, 1);
      advance();
    } else {
      while (position_ < text_.size() && !is_space(text_[position_]) && text_[position_] != ',' &&
             text_[position_] != '"' && !is_symbol(text_[position_]) && !at_comment()) {
        ++position_;
      }
      token_.kind = BifToken::Kind::word;
      token_.text = text_.substr(start, position_ - start);
    }
  }

  void read_quoted() {
    const std::size_t start = ++position_;
    while (position_ < text_.size() && text_[position_] != '"') {
      if (ends_line(position_)) break;
      ++position_;
    }
    if (position_ == text_.size() || text_[position_] != '"') {
      throw BifError(line_, "a quoted name is not closed by `\"` in the same line");
    }
    token_.kind = BifToken::Kind::quoted;
    token_.text = text_.substr(start, position_ - start);
    ++position_;
  }

  // Control characters mean a compressed, binary or UTF-16 file: say so at once instead of
  // complaining about a word made of rubbish.
  void check_is_text() const {
    std::size_t line = 1;
    for (std::size_t at = 0; at < text_.size();) {
      const auto byte = static_cast<unsigned char>(text_[at]);
      if (byte < 0x20 || byte == 0x7F) {
        if (!is_space(text_[at])) {
          char code[8];
          std::snprintf(code, sizeof code, "0x%02X", static_cast<unsigned>(byte));
          throw BifError(line,
                         "expected plain text, as BIF files are, found the control character " +
                             std::string(code));
        }
        if (ends_line(at)) ++line;
        ++at;
      } else {
        const std::size_t length = utf8_length(at);
        if (length == 0) {
          throw BifError(line,
                         "expected UTF-8 text, found an invalid character; "
                         "save the file as UTF-8");
        }
        at += length;
      }
    }
  }

  // Bytes of the well-formed UTF-8 character that starts here, 0 if there is none (RFC 3629:
  // no overlong forms, no surrogates, nothing above U+10FFFF).
  std::size_t utf8_length(std::size_t at) const {
    const auto byte = [&](std::size_t offset) -> unsigned {
      return at + offset < text_.size() ? static_cast<unsigned char>(text_[at + offset]) : 0U;
    };
    const auto continues = [&](std::size_t offset) { return (byte(offset) & 0xC0U) == 0x80U; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
      if (first == 0xE0 && byte(1) < 0xA0) return 0;
      if (first == 0xED && byte(1) > 0x9F) return 0;
      return continues(1) && continues(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
      if (first == 0xF0 && byte(1) < 0x90) return 0;
      if (first == 0xF4 && byte(1) > 0x8F) return 0;
      return continues(1) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  BifToken token_;
};

}  // namespace privpc
