// Objects behind the public handles of tensors, which both runtimes share.
#ifndef TT_RUNTIME_EMULATOR_HANDLES_H
#define TT_RUNTIME_EMULATOR_HANDLES_H

#include "emulator/device.h"
#include "emulator/tensor.h"

namespace tt::runtime::emulator {

struct TensorHandle {
  TensorPtr tensor;
  // Element strides of a borrowed host array that is not row-major; the layout
  // of `tensor` then only gives shape and type.
  std::vector<std::int64_t> stride;
  // The program that has taken its memory; empty while it can be used.
  std::string givenUpTo;
};

Tensor wrap(TensorPtr tensor);
/// Throws Error(Argument) for a tensor that was given up.
TensorHandle &handleOf(Tensor &tensor);

/// The tensor, or a row-major copy of a strided array. That of a mesh has a
/// shard for each chip.
TensorPtr denseTensor(const TensorHandle &handle);
/// Copies the elements of `source` to the tensor of the handle.
void copyInto(const TensorPtr &source, const TensorHandle &target);
/// A copy in another layout; of a mesh, what all chips have.
TensorPtr place(const TensorPtr &source, const Layout &layout,
                const std::shared_ptr<Chip> &chip, const std::string &owner);
/// Names the owner of memory in messages: `what` and the layout on a device.
std::string ownerText(const std::string &what, const Layout &layout);
/// An input in the layout that a program wants on its chips; itself if it has
/// it. On a mesh a tensor of one chip is copied to all of them. Throws
/// Error(Argument), in which `what` names it, for another shape, type or mesh.
TensorPtr placeInput(const Chips &chips,
                     const std::vector<std::uint32_t> &meshShape,
                     const Layout &layout, const std::string &what,
                     TensorPtr tensor);

/// The tensor on these chips of a device in a layout, itself if it is so
/// already. With `bankBytes` it is in so many bytes of each bank of the DRAM,
/// from its end on, out of the way of addresses that programs have. Throws
/// Error(Argument) for another shape.
Tensor bringTo(Tensor tensor, OpenDevice &device, const Chips &chips,
               const std::vector<std::uint32_t> &meshShape,
               const Layout &layout,
               std::optional<std::int64_t> bankBytes = {});

/// Throws Error(Argument), in which `what` names the tensor, unless shape and
/// data type of an argument fit those of a program.
void checkTensor(const std::string &what, const Layout &expected,
                 const Layout &found);
/// The same for the number of `what`.
void checkCount(const char *what, const std::string &program,
                std::size_t expected, std::size_t found);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_HANDLES_H
