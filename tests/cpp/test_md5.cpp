// MD5 against the test suite of RFC 1321 (section A.5) and an independent implementation at the
// lengths where the padding changes.
#include <catch.h>

#include <string>

#include "privpc/base/md5.hpp"

using privpc::Md5;

TEST_CASE("MD5 of the examples of RFC 1321", "[md5]") {
  CHECK(Md5::hex("") == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(Md5::hex("a") == "0cc175b9c0f1b6a831c399e269772661");
  CHECK(Md5::hex("abc") == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(Md5::hex("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
  CHECK(Md5::hex("abcdefghijklmnopqrstuvwxyz") == "c3fcd3d76192e4007dfb496cca67e13b");
  CHECK(Md5::hex(
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
        "57edf4a22be3c955ac49da2e2107b67a");
}

TEST_CASE("MD5 around the ends of blocks", "[md5]") {
  CHECK(Md5::hex(std::string(55, 'x')) == "04364420e25c512fd958a70738aa8f72");
  CHECK(Md5::hex(std::string(56, 'x')) == "668a72d5ba17f08e62dabcafad6db14b");
  CHECK(Md5::hex(std::string(63, 'x')) == "7dc2ca208106a2f703567bdff99d8981");
  CHECK(Md5::hex(std::string(64, 'x')) == "c1bb4f81d892b2d57947682aeb252456");
  CHECK(Md5::hex(std::string(119, 'x')) == "ab347a5f68c8a443cfcddc633f12c24f");
}
