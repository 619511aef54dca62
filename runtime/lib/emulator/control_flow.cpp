#include "emulator/control_flow.h"

#include "common/location.h"
#include "emulator/mesh.h"
#include "emulator/tensor_copy.h"
#include "tt/runtime/fault.h"
#include "tt/runtime/runtime.h"

#include <atomic>

namespace tt::runtime {

namespace {
std::atomic<void (*)()> hostPoll = nullptr;
} // namespace

void setHostPoll(void (*poll)()) { hostPoll = poll; }

} // namespace tt::runtime

namespace tt::runtime::emulator {

const char *controlFlowName(ControlFlowType type) {
  static constexpr const char *names[] = {"if", "for", "while", "host_call"};
  return names[unsigned(type)];
}

ControlFlowType readControlFlowType(::tt::target::ControlFlowOp const *op) {
  if (op->type() > ControlFlowType::MAX)
    malformed("expected a type of control flow up to ",
              unsigned(ControlFlowType::MAX), ", found ", unsigned(op->type()));
  return op->type();
}

std::vector<std::uint32_t> readParts(::tt::target::ControlFlowOp const *op,
                                     std::size_t numParts) {
  const bool isOne = op->type() == ControlFlowType::For ||
                     op->type() == ControlFlowType::HostCall;
  const std::size_t expected = isOne ? 1 : 2;
  const std::size_t found = op->parts() ? op->parts()->size() : 0;
  if (found != expected)
    malformed("expected ", expected, " parts, found ", found);
  for (std::uint32_t part : *op->parts())
    if (part >= numParts)
      malformed("expected a part below ", numParts, ", found ", part);
  return {op->parts()->begin(), op->parts()->end()};
}

void checkPartLayouts(const std::string &part, const char *what,
                      const std::vector<const Layout *> &expected,
                      const std::vector<const Layout *> &found) {
  if (expected.size() != found.size())
    malformed("expected ", expected.size(), " ", what, " of part '", part,
              "', found ", found.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!expected[i]->samePages(*found[i]))
      malformed("expected ", what, " ", i, " of part '", part, "' as ",
                expected[i]->describe(), ", found ", found[i]->describe());
}

void checkCondition(const Layout &found) {
  if (found.volume() != 1)
    malformed("expected a condition of one element, found ", found.describe());
}

bool isTrue(const TensorPtr &condition) {
  std::optional<bool> all;
  const auto join = [&](bool own) {
    if (all.value_or(own) != own)
      raise(ErrorCategory::Argument,
            "expected a condition that all chips agree on, found chips with "
            "and without: make it of replicated tensors, or all_reduce it");
    all = own;
  };
  Ranks *ranks = nullptr;
  forShards(condition, [&](const TensorPtr &shard) {
    if (shard->remote()) {
      ranks = shard->buffer->remote()->ranks.get();
      return;
    }
    const Layout host = hostLayout(shard->layout.shape, numerics::DType::F32);
    float element = 0;
    copyTensor(shard->view(),
               {&host, reinterpret_cast<std::byte *>(&element), 0},
               numerics::Rounding::Host);
    join(element != 0);
  });
  if (ranks)
    for (const std::string &other :
         ranks->gather("a condition", std::string(1, char(*all))))
      join(other != std::string(1, '\0'));
  return *all;
}

void Turns::next() {
  if (auto *poll = hostPoll.load())
    poll();
  if (++done_ <= limit_)
    return;
  FaultPlace place;
  place.thread = "host";
  place.instruction = loop_;
  place.location = location_;
  const std::string text = std::string("the loop '") + loop_ + "'" +
                           runtime::placeOf(location_) + " has taken " +
                           std::to_string(limit_) +
                           " turns, as many as the step limit allows";
  throw StepLimitFault(std::move(place), text);
}

} // namespace tt::runtime::emulator
