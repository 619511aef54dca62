// Operations on places: orders, scatters, running extremes; and bits.
#include "numerics/scan.h"
#include "numerics/scatter.h"
#include "numerics/sort.h"
#include "ttnn/executor.h"
#include "ttnn/scatters.h"

#include <cstring>

namespace tt::runtime::ttnn {

using numerics::DType;

void Executor::execute(const ArgSortStep &step) {
  const Layout &in = operand(step.in)->layout;
  const DType type = computeType(step.in);
  const RowMajor source = read(step.in, type);
  auto data = scratch(DType::U32, in.volume());
  numerics::argsort(type, source.data, in.shape, step.dim, step.descending,
                    static_cast<std::uint32_t *>(data.get()));
  write(step.out, {}, DType::U32, data);
}

void Executor::execute(const ScatterRowsStep &step) {
  const Layout &in = operand(step.input)->layout;
  const Layout &out = layoutOf(step.out);
  const DType type =
      commonType({in.type, operand(step.updates)->layout.type}, out.type);
  const DType indexType = computeType(step.indices);
  const RowMajor table = read(step.input, type);
  const RowMajor indices = read(step.indices, indexType);
  const RowMajor updates = read(step.updates, type);
  auto data = scratch(type, out.volume());
  numerics::scatterRows(scatterOf(step.reduceType), type, table.data,
                        in.shape[0], in.shape[1], indexType, indices.data,
                        updates.data, operand(step.indices)->layout.volume(),
                        data.get());
  write(step.out, {}, type, data);
}

void Executor::execute(const PreviousEqualStep &step) {
  const std::int64_t count = operand(step.in)->layout.volume();
  const DType type = computeType(step.in);
  const RowMajor source = read(step.in, type);
  auto data = scratch(DType::U32, count);
  numerics::previousEqual(type, source.data, count, step.limit,
                          static_cast<std::uint32_t *>(data.get()));
  write(step.out, {}, DType::U32, data);
}

template <typename Step>
void Executor::scan(numerics::ScanOp op, const Step &step) {
  const Layout &in = operand(step.in)->layout;
  const DType type = commonType({in.type}, layoutOf(step.out).type);
  const RowMajor source = read(step.in, type);
  auto data = scratch(type, in.volume());
  numerics::scan(op, type, source.data, in.shape, step.dim, data.get());
  write(step.out, {}, type, data);
}

void Executor::execute(const CumProdStep &step) {
  scan(numerics::ScanOp::Prod, step);
}

void Executor::execute(const CumMaxStep &step) {
  scan(numerics::ScanOp::Max, step);
}

void Executor::execute(const CumMinStep &step) {
  scan(numerics::ScanOp::Min, step);
}

void Executor::execute(const BitcastConvertStep &step) {
  const DType from = computeType(step.in), to = computeType(step.out);
  const RowMajor source = read(step.in, from);
  const std::int64_t count = layoutOf(step.out).volume();
  auto data = scratch(to, count);
  if (count > 0)
    std::memcpy(data.get(), source.data,
                std::size_t(count * numerics::elementSize(to)));
  write(step.out, {}, to, data);
}

} // namespace tt::runtime::ttnn
