// Operations of all chips of a mesh together.
#include "emulator/mesh.h"
#include "ttnn/cost.h"
#include "ttnn/executor.h"

#include <algorithm>

namespace tt::runtime::ttnn {

void Executor::execute(const CollectiveStep &step) {
  if (!fabric_)
    fabric_ = std::make_unique<emulator::Fabric>(device_.system->desc(), chips_,
                                                 meshShape_);
  std::vector<TensorPtr> ins, outs;
  for (position_ = 0; position_ < chips_.size(); ++position_) {
    ins.push_back(operand(step.in));
    outs.push_back(allocate(step.out, kAnyDevice));
  }
  position_ = chips_.ownership.first();
  fabric_->keepSlices(device_.tracing.has_value());
  links_ = collectives::run(step.collective, *fabric_, ins, outs,
                            device_.reporting ? operandTime(program_, step)
                                              : collectives::OperandTime());
  tensors_[step.out] = outs.size() == 1
                           ? outs.front()
                           : emulator::meshTensor(std::move(outs), meshShape_);
}

void Executor::execute(const MeshShardStep &step) {
  const Layout &layout = layoutOf(step.out);
  TensorPtr in = tensors_[step.in];
  if (step.toFull) {
    if (!in->onMesh())
      in = emulator::repeatTensor(in, step.meshShape);
    tensors_[step.out] = emulator::aggregateTensor(in, step.sharding, layout);
    return;
  }
  TensorPtr out = emulator::shardTensor(in, step.sharding, step.meshShape,
                                        layout, chips_.ownership);
  // What all chips share is worked on once.
  const bool shared = std::all_of(
      out->shards.begin(), out->shards.end(),
      [&](const TensorPtr &shard) { return shard == out->shards.front(); });
  tensors_[step.out] = shared ? out->shards.front() : std::move(out);
}

} // namespace tt::runtime::ttnn
