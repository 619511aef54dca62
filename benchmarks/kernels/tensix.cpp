// Times compute instructions on tiles against whole-tensor kernels of the same
// library: `ttmlir-bench-tensix [--isa N]`. One thread; best of several runs.
#include "numerics/cpu.h"
#include "numerics/eltwise.h"
#include "numerics/matmul.h"
#include "numerics/parallel.h"
#include "tensix/compute.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

using namespace tt::runtime::tensix;
namespace numerics = tt::runtime::numerics;

namespace {

/// Seconds of the best run within about 0.3 s.
template <typename Body> double best(const Body &body) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  body();
  double result = 1e9;
  const auto start = Clock::now();
  for (int run = 0; run < 5 || seconds(start) < 0.3; ++run) {
    const auto begin = Clock::now();
    body();
    result = std::min(result, seconds(begin));
  }
  return result;
}

/// Circular buffers that begin at fixed places.
class Buffers : public TileAccess {
public:
  const std::byte *front(std::uint32_t port, std::uint64_t offset,
                         std::uint64_t) override {
    return data[port].data() + offset;
  }
  std::byte *back(std::uint32_t port, std::uint64_t offset, std::uint64_t,
                  bool) override {
    return data[port].data() + offset;
  }
  std::byte *nextBack(std::uint32_t port, std::uint64_t, bool) override {
    return data[port].data();
  }
  [[noreturn]] void fault(ComputeFault, const std::string &message) override {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    std::exit(1);
  }
  void bind(ComputeContext &context, std::uint32_t port, DType type,
            std::int64_t tiles) {
    const std::int64_t page = numerics::tileBytes(type);
    data[port].resize(std::size_t(page * tiles));
    for (std::int64_t i = 0; i < tiles; ++i) {
      float values[numerics::kTileElements];
      for (std::int64_t j = 0; j < numerics::kTileElements; ++j)
        values[j] = float((i + j * 7) % 31) / 17 - 1;
      std::byte *tile = data[port].data() + i * page;
      if (numerics::isBlockFloat(type))
        numerics::quantizeTiles(type, values, tile, 1);
      else
        numerics::fromF32(type, values, tile, numerics::kTileElements);
    }
    context.cbs[port] = {type, true, true, std::uint32_t(page)};
  }

private:
  std::vector<std::byte> data[kPorts];
};

void run(ComputeContext &context, Opcode opcode,
         std::initializer_list<std::uint64_t> operands) {
  handlerFor(opcode)(context, std::data(operands));
}

/// The share of one of 8x8 cores in a product of side^3: subblocks of 2x2
/// tiles, K in single tiles.
void benchMatmul(DType type, const MathConfig &config, std::int64_t side) {
  const std::uint64_t tiles = std::uint64_t(side) / 32, share = tiles / 8;
  Buffers buffers;
  ComputeContext context(config, buffers);
  buffers.bind(context, 0, type, std::int64_t(share * tiles));
  buffers.bind(context, 1, type, std::int64_t(tiles * share));
  buffers.bind(context, 16, DType::BF16, 1);
  const double time = best([&] {
    for (std::uint64_t row = 0; row < share; row += 2)
      for (std::uint64_t col = 0; col < share; col += 2) {
        context.dst.acquire();
        for (std::uint64_t k = 0; k < tiles; ++k)
          run(context, Opcode::matmul_block,
              {0, 1, row * tiles + k, k * share + col, 0, 0, 2, 2, tiles});
        context.dst.commit();
        for (std::uint64_t i = 0; i < 4; ++i)
          run(context, Opcode::pack_tile, {i, 16, 0, 1});
        context.dst.release();
      }
  });
  const double n = double(side);
  std::printf("tiles  %-6s %s%s %5ld^3 / 64  %8.3f ms  %8.1f GFLOP/s\n",
              numerics::dtypeName(type), config.exact ? "exact" : "fast ",
              config.fp32DestAcc ? " f32" : " 16b", long(side), time * 1e3,
              2e-9 * n * n * n / 64 / time);
}

void benchGemm(DType type, std::int64_t side) {
  std::vector<char> a(std::size_t(side * side * 4), 1), b = a, c = a;
  numerics::MatmulArgs args;
  args.m = args.n = args.k = side;
  args.a = {a.data(), type, side, 0, false, {}};
  args.b = {b.data(), type, side, 0, false, {}};
  args.c = c.data();
  args.cType = type;
  args.cRowStride = side;
  const double time = best([&] { numerics::matmul(args); });
  const double n = double(side);
  std::printf("gemm   %-6s           %5ld^3       %8.3f ms  %8.1f GFLOP/s\n",
              numerics::dtypeName(type), long(side), time * 1e3,
              2e-9 * n * n * n / time);
}

/// copy or binary instructions on tiles that stay in the cache, then pack.
void benchEltwise(const char *name, DType type, Opcode opcode, bool binary,
                  const MathConfig &config = {.fp32DestAcc = true}) {
  constexpr std::int64_t kTiles = 64;
  Buffers buffers;
  ComputeContext context(config, buffers);
  for (std::uint32_t port : {0u, 1u, 16u})
    buffers.bind(context, port, type, kTiles);
  const double time = best([&] {
    for (std::uint64_t i = 0; i < kTiles; ++i) {
      context.dst.acquire();
      if (binary) {
        run(context, opcode, {0, 1, i, i, 0});
      } else {
        run(context, Opcode::copy_tile, {0, i, 0});
        run(context, opcode, {0});
      }
      context.dst.commit();
      run(context, Opcode::pack_tile, {0, 16, i, 1});
      context.dst.release();
    }
  });
  std::printf("%-9s %-6s %s%s %8.1f ns per tile  %6.1f GB/s\n", name,
              numerics::dtypeName(type), config.exact ? "exact" : "fast ",
              config.fp32DestAcc ? " f32" : " 16b", 1e9 * time / kTiles,
              1e-9 * double((binary ? 3 : 2) * numerics::tileBytes(type)) *
                  kTiles / time);
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 3 && !std::strcmp(argv[1], "--isa"))
    numerics::setIsa(
        numerics::Isa(std::clamp(std::atoi(argv[2]), 0, numerics::kIsas - 1)));
  numerics::setNumThreads(1);
  std::printf("%s, 1 thread\n", numerics::isaName(numerics::currentIsa()));
  for (DType type : {DType::F32, DType::BF16})
    benchGemm(type, 1024);
  for (DType type : {DType::F32, DType::BF16, DType::BFP8_B})
    for (bool fp32 : {true, false}) {
      MathConfig config;
      config.fp32DestAcc = fp32;
      benchMatmul(type, config, 1024);
    }
  MathConfig exact;
  exact.exact = true;
  benchMatmul(DType::BF16, exact, 256);
  for (DType type : {DType::BF16, DType::F32, DType::BFP8_B}) {
    benchEltwise("add", type, Opcode::add_tiles, true);
    benchEltwise("mul", type, Opcode::mul_tiles, true);
    benchEltwise("relu", type, Opcode::relu_tile, false);
    benchEltwise("exp", type, Opcode::exp_tile, false);
  }
  for (bool fp32 : {false, true})
    for (DType type : {DType::BF16, DType::F32}) {
      const MathConfig config{.fp32DestAcc = fp32,
                              .preserveFp32 = fp32,
                              .exact = true,
                              .wormhole = true};
      benchEltwise("mul", type, Opcode::mul_tiles, true, config);
      benchEltwise("exp", type, Opcode::exp_tile, false, config);
      benchEltwise("gelu", type, Opcode::gelu_tile, false, config);
      benchEltwise("rsqrt", type, Opcode::rsqrt_tile, false, config);
    }
  return 0;
}
