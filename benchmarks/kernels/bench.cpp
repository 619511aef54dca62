// Times the kernels: `ttmlir-bench-kernels [matmul|eltwise|tiles|reduce]...
// [--isa N] [--threads N]`. Best of several runs.
#include "numerics/cpu.h"
#include "numerics/eltwise.h"
#include "numerics/matmul.h"
#include "numerics/parallel.h"
#include "numerics/reduce.h"
#include "numerics/softmax.h"
#include "numerics/tiles.h"
#include "numerics/transform.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace tt::runtime::numerics;

namespace {

/// Seconds of the best run within about 0.3 s.
template <typename Body> double best(const Body &body) {
  using Clock = std::chrono::steady_clock;
  auto seconds = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  body();
  double result = 1e9;
  auto start = Clock::now();
  for (int run = 0; run < 5 || (seconds(start) < 0.3 && run < 10000); ++run) {
    auto begin = Clock::now();
    body();
    result = std::min(result, seconds(begin));
  }
  return result;
}

std::vector<float> randomFloats(int64_t count) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> draw(-1, 1);
  std::vector<float> values(static_cast<size_t>(count));
  for (float &value : values)
    value = draw(generator);
  return values;
}

std::vector<char> randomElements(DType type, int64_t count) {
  std::vector<float> values = randomFloats(count);
  std::vector<char> elements(size_t(count * elementSize(type)));
  fromF32(type, values.data(), elements.data(), count);
  return elements;
}

void benchMatmul(DType type, int64_t m, int64_t n, int64_t k, bool transposed) {
  std::vector<char> a = randomElements(type, m * k);
  std::vector<char> b = randomElements(type, k * n);
  std::vector<char> c(size_t(m * n * elementSize(type)));
  MatmulArgs args;
  args.m = m;
  args.n = n;
  args.k = k;
  args.a.data = a.data();
  args.a.type = type;
  args.a.rowStride = k;
  args.b.data = b.data();
  args.b.type = type;
  args.b.rowStride = transposed ? k : n;
  args.b.transposed = transposed;
  args.c = c.data();
  args.cType = type;
  args.cRowStride = n;
  double time = best([&] { matmul(args); });
  std::printf("matmul %-5s %5ld x %5ld x %5ld%s  %9.3f ms  %8.1f GFLOP/s\n",
              dtypeName(type), long(m), long(n), long(k),
              transposed ? " B^T" : "    ", time * 1e3,
              2e-9 * double(m) * double(n) * double(k) / time);
}

void matmulSuite() {
  for (DType type : {DType::F32, DType::BF16}) {
    for (int64_t size : {256, 512, 1024, 2048})
      benchMatmul(type, size, size, size, false);
    benchMatmul(type, 1024, 1024, 1024, true);
    for (int64_t m : {1, 4, 8, 32})
      benchMatmul(type, m, 2048, 2048, false);
    benchMatmul(type, 32, 2048, 2048, true);
  }
}

void report(const char *name, DType type, int64_t bytes, double time) {
  std::printf("%-22s %-7s %9.3f ms  %8.1f GB/s\n", name, dtypeName(type),
              time * 1e3, 1e-9 * double(bytes) / time);
}

void eltwiseSuite() {
  for (int64_t side : {256, 4096}) {
    int64_t count = side * side;
    std::printf("eltwise on %ld x %ld\n", long(side), long(side));
    for (DType type : {DType::F32, DType::BF16, DType::F16, DType::I32}) {
      int64_t size = elementSize(type);
      std::vector<char> a = randomElements(type, count), b = a,
                        c(size_t(count * size));
      for (BinaryOp op : {BinaryOp::Add, BinaryOp::Multiply, BinaryOp::Div,
                          BinaryOp::Maximum, BinaryOp::GreaterEqual})
        report(functionOf(op).name, type, 3 * count * size, best([&] {
                 binary(op, type, a.data(), b.data(), c.data(), count);
               }));
      if (isInteger(type))
        continue;
      for (UnaryOp op :
           {UnaryOp::Relu, UnaryOp::Sqrt, UnaryOp::Exp, UnaryOp::Log,
            UnaryOp::Sigmoid, UnaryOp::Tanh, UnaryOp::Gelu, UnaryOp::Sin})
        report(functionOf(op).name, type, 2 * count * size,
               best([&] { unary(op, type, a.data(), c.data(), count); }));
    }
    if (count % kTileElements == 0) {
      std::vector<float> values = randomFloats(count);
      int64_t bytes = count / kTileElements * tileBytes(DType::BFP8_B);
      std::vector<char> a(static_cast<size_t>(bytes)), c = a;
      quantizeTiles(DType::BFP8_B, values.data(), a.data(),
                    count / kTileElements);
      report("add", DType::BFP8_B, 3 * bytes, best([&] {
               binary(BinaryOp::Add, DType::BFP8_B, a.data(), a.data(),
                      c.data(), count);
             }));
    }
  }
}

void tilesSuite() {
  int64_t side = 2048, count = side * side;
  std::vector<float> values = randomFloats(count);
  for (DType type : {DType::F32, DType::BF16, DType::BFP8_B, DType::BFP4_B}) {
    int64_t bytes = count / kTileElements * tileBytes(type);
    std::vector<char> tiles(static_cast<size_t>(bytes));
    report("tilize from f32", type, bytes + count * 4, best([&] {
             tilizeFromF32(values.data(), side, side, side, type,
                           {tiles.data()});
           }));
    report("untilize to f32", type, bytes + count * 4, best([&] {
             untilizeToF32(type, {tiles.data()}, values.data(), side, side,
                           side);
           }));
  }
  std::vector<char> bf16 = randomElements(DType::BF16, count), out = bf16;
  report("tilize", DType::BF16, count * 4, best([&] {
           tilize(DType::BF16, bf16.data(), side, side, side, {out.data()});
         }));
}

void reduceSuite() {
  int64_t shape[] = {2048, 2048}, count = 2048 * 2048, first[] = {0},
          last[] = {1};
  for (DType type : {DType::F32, DType::BF16}) {
    int64_t bytes = count * elementSize(type);
    std::vector<char> a = randomElements(type, count), c = a;
    report("sum dim 1", type, bytes, best([&] {
             reduce(ReduceOp::Sum, type, a.data(), shape, last, c.data());
           }));
    report("sum dim 0", type, bytes, best([&] {
             reduce(ReduceOp::Sum, type, a.data(), shape, first, c.data());
           }));
    report("softmax dim 1", type, 2 * bytes,
           best([&] { softmax(type, a.data(), shape, 1, c.data()); }));
    report("softmax dim 0", type, 2 * bytes,
           best([&] { softmax(type, a.data(), shape, 0, c.data()); }));
    report("transpose", type, 2 * bytes, best([&] {
             transpose(a.data(), shape, 0, 1, elementSize(type), c.data());
           }));
  }
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> suites;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--isa") && i + 1 < argc)
      setIsa(Isa(std::clamp(std::atoi(argv[++i]), 0, kIsas - 1)));
    else if (!std::strcmp(argv[i], "--threads") && i + 1 < argc)
      setNumThreads(std::atoi(argv[++i]));
    else
      suites.push_back(argv[i]);
  }
  if (suites.empty())
    suites = {"matmul", "eltwise", "tiles", "reduce"};
  std::printf("%s, %d threads\n", isaName(currentIsa()), getNumThreads());
  for (const std::string &suite : suites) {
    if (suite == "matmul")
      matmulSuite();
    else if (suite == "eltwise")
      eltwiseSuite();
    else if (suite == "tiles")
      tilesSuite();
    else if (suite == "reduce")
      reduceSuite();
    else {
      std::fprintf(stderr,
                   "error: expected matmul, eltwise, tiles or reduce, found "
                   "%s\n",
                   suite.c_str());
      return 1;
    }
  }
  return 0;
}
