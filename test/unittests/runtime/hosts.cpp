// What files say of the types and shapes of the source.
#include "common/hosts.h"

#include "testing/testing.h"

using namespace tt::runtime;
namespace target = ::tt::target;

namespace {

/// A description for each of `hosts`; nothing for one without a shape.
struct Hosts {
  flatbuffers::FlatBufferBuilder builder;

  const HostDescs *make(const std::vector<std::optional<HostDesc>> &hosts) {
    std::vector<flatbuffers::Offset<target::HostDesc>> descs;
    for (const std::optional<HostDesc> &host : hosts)
      descs.push_back(
          host ? target::CreateHostDescDirect(builder, host->type, &host->shape)
               : target::CreateHostDesc(builder));
    const auto vector = builder.CreateVector(descs);
    return flatbuffers::GetTemporaryPointer(builder, vector);
  }
};

TEST(Hosts, TypesAndShapes) {
  const Layout scalar = hostLayout({1}, numerics::DType::F32);
  const Layout row = hostLayout({5}, numerics::DType::I32);
  const Layout parts = hostLayout({2}, numerics::DType::F32);
  const Layout matrix = hostLayout({2, 3}, numerics::DType::F32);
  Hosts hosts;
  const auto found = decodeHosts(
      "f",
      hosts.make({HostDesc{target::HostType::Float64, {}}, std::nullopt,
                  HostDesc{target::HostType::Int64, {5}},
                  HostDesc{target::HostType::Float32, {0, 3}},
                  HostDesc{target::HostType::Complex64, {}},
                  HostDesc{target::HostType::Complex128, {3}},
                  HostDesc{target::HostType::Complex64, {0}}}),
      {&scalar, &row, &row, &scalar, &parts, &matrix, &scalar});
  EXPECT_TRUE(found[0] && found[0]->shape.empty());
  EXPECT_FALSE(found[1].has_value());
  EXPECT_TRUE(found[2]->type == target::HostType::Int64);
  EXPECT_EQ(found[3]->shape, (std::vector<std::int64_t>{0, 3}));
  EXPECT_TRUE(found[4]->shape.empty());
  EXPECT_EQ(found[5]->shape, (std::vector<std::int64_t>{3}));
}

TEST(Hosts, WhatDoesNotFit) {
  const Layout scalar = hostLayout({1}, numerics::DType::F32);
  const Layout row = hostLayout({5}, numerics::DType::I32);
  const auto refuse = [](HostDesc host, const Layout &layout) {
    Hosts hosts;
    const HostDescs *descs = hosts.make({host});
    EXPECT_THROW(decodeHosts("f", descs, {&layout}), Error);
  };
  refuse({target::HostType::Float64, {2}}, scalar);
  refuse({target::HostType::Int64, {}}, scalar);
  refuse({target::HostType::Int64, {0}}, row);
  refuse({target::HostType::Int64, {-5}}, row);
  refuse({target::HostType::Float32, {5}}, row);
  refuse({target::HostType::Complex64, {}}, scalar);
  const Layout parts = hostLayout({2, 3}, numerics::DType::F32);
  refuse({target::HostType::Complex64, {2, 3}}, parts);
  refuse({target::HostType::Complex64, {3}},
         hostLayout({2, 3}, numerics::DType::I32));
  refuse({target::HostType(99), {5}}, row);
  Hosts hosts;
  const HostDescs *two = hosts.make({std::nullopt, std::nullopt});
  EXPECT_THROW(decodeHosts("f", two, {&row}), Error);
}

} // namespace
