// The public API: open emulated devices, make tensors, run compiled programs.
//
// All functions throw tt::runtime::Error. A Device and its tensors may be used
// from one thread at a time; different devices are independent.
#ifndef TT_RUNTIME_RUNTIME_H
#define TT_RUNTIME_RUNTIME_H

#include "tt/runtime/report.h"
#include "tt/runtime/trace.h"
#include "tt/runtime/types.h"

#include <optional>

namespace tt::runtime {

namespace system_desc {
/// The system that openDevice(ids) opens, and the ids of its chips.
std::pair<SystemDesc, DeviceIds> getCurrentSystemDesc();

/// Descriptor of a named target: n150, n300, t3000, galaxy, bh_galaxy, p150, p150x4,
/// p150x8 or e150.
SystemDesc getDefaultSystemDesc(std::string const &target);
std::vector<std::string> getDefaultTargets();

/// Makes getCurrentSystemDesc and openDevice(ids) use this system.
void setCurrentSystemDesc(SystemDesc systemDesc);
} // namespace system_desc

namespace detail {
/// Frees the memory of all tensors on the device; they cannot be used after.
void deallocateBuffers(Device device);
} // namespace detail

/// The runtime that new handles belong to. A run goes to the runtime of its
/// program; tensors and devices serve both.
DeviceRuntime getCurrentRuntime();
std::vector<DeviceRuntime> getAvailableRuntimes();
void setCurrentRuntime(const DeviceRuntime &runtime);
/// Chooses the runtime by the file identifier of the binary.
void setCompatibleRuntime(const Binary &binary);

std::pair<SystemDesc, DeviceIds> getCurrentSystemDesc();

/// A host tensor on memory that `data` keeps alive: `shape` and `stride` in
/// elements, `itemsize` in bytes.
Tensor createTensor(std::shared_ptr<void> data,
                    std::vector<std::uint32_t> const &shape,
                    std::vector<std::uint32_t> const &stride,
                    std::uint32_t itemsize, ::tt::target::DataType dataType);

inline Tensor createTensor(std::shared_ptr<void> data, TensorDesc const &desc) {
  return createTensor(std::move(data), desc.shape, desc.stride, desc.itemsize,
                      desc.dataType);
}

/// A row-major host tensor of zeros in new memory.
Tensor createEmptyTensor(std::vector<std::uint32_t> const &shape,
                         ::tt::target::DataType dataType);

/// A tensor of a mesh from one host tensor of equal shape and type for each
/// chip, by position. They are shared, not copied.
Tensor createMultiDeviceHostTensor(std::vector<Tensor> const &shards,
                                   std::vector<std::uint32_t> const &meshShape);
/// The same from tensors that are on the chips already, or all on the host.
Tensor combineDeviceTensors(std::vector<Tensor> const &shards,
                            std::vector<std::uint32_t> const &meshShape);
/// The same where several ranks emulate the chips `chipIds` of the device, by
/// position: each of them has the tensors of its own chips, and none for
/// others. Throws Error(Argument) unless `shards` are those.
Tensor combineOwnTensors(std::vector<std::optional<Tensor>> const &shards,
                         std::vector<std::uint32_t> const &meshShape,
                         Device device, DeviceIds const &chipIds);
/// The tensors of the chips of this rank by position, and none for others.
std::vector<std::optional<Tensor>> getOwnShards(Tensor tensor);
/// The tensors of the chips by position; of other tensors, itself. Where
/// several ranks emulate the mesh, all call it, and tensors of other ranks are
/// copies on the host.
std::vector<Tensor> getShards(Tensor tensor);
/// The extents of the mesh that a tensor is of; none for other tensors.
std::vector<std::uint32_t> getMeshShape(Tensor tensor);
/// Cuts a tensor into equal shards for the chips of a mesh, on the host.
/// `shardShape` is the number of shards of each of its dimensions, `shardDims`
/// says for each axis of the mesh which dimension it shards, -1 for none.
Tensor shardTensor(Tensor tensor, std::vector<std::uint32_t> const &meshShape,
                   std::vector<std::int64_t> const &shardShape,
                   std::vector<std::int64_t> const &shardDims);
/// The whole tensor for every chip of a mesh.
Tensor replicateTensor(Tensor tensor,
                       std::vector<std::uint32_t> const &meshShape);
/// The reverse of shardTensor, on the host. Chips that have the same shard must
/// agree about it.
Tensor aggregateTensor(Tensor tensor,
                       std::vector<std::int64_t> const &shardShape,
                       std::vector<std::int64_t> const &shardDims);

::tt::target::DataType getTensorDataType(Tensor tensor);
/// Shape, strides, item size and data type. For a tensor on a device the
/// strides are those of a row-major copy.
TensorDesc getTensorDesc(Tensor tensor);
/// Where a tensor lives and how: "host row_major", "dram interleaved tile", ...
std::string describeTensor(Tensor tensor);
bool isOnDevice(Tensor tensor);
/// What it takes in the memories of chips, in bytes: with padding, and the same
/// in each bank. 0 on the host.
std::int64_t getDeviceBytes(Tensor tensor);
/// True for a host tensor whose elements are row-major without gaps at `data`.
bool isRowMajorHost(Tensor tensor);
/// Address of the first byte of a tensor of the host, else 0.
std::uint64_t hostAddress(Tensor tensor);
/// Promises that the elements do not change any more: what programs compute of
/// such tensors alone is kept on the device and not computed again, as long as
/// the executable and the tensor are there. With `mappedFile` the memory of a
/// host tensor is that of a file, mapped only to read it: its pages are given
/// back once they were used.
void freezeTensor(Tensor tensor, bool mappedFile = false);
/// Frees the memory now; the tensor cannot be used after.
void deallocateTensor(Tensor tensor);

/// A device is closed when nobody has a handle of it or a tensor on it, or by
/// closeDevice. `numHWCQs` has a number for each device or is empty; programs
/// with more command queues run as well.
Device openDevice(std::vector<int> const &deviceIds = {0},
                  std::vector<std::uint8_t> const &numHWCQs = {});
/// The same on a given system.
Device openDevice(SystemDesc systemDesc, std::vector<int> const &deviceIds);
/// Rank `owners[i]` emulates chip i of the system in all meshes of the device,
/// in place of the positions that it has in each of them: see setTransport().
/// A mesh has chips of one rank, who runs its programs without the others, or
/// of all ranks. Throws Error(Argument) unless each chip has an owner among the
/// ranks.
void setChipOwners(Device device, std::vector<std::uint32_t> owners);
/// Closes a device that others may still have; its tensors are gone.
void closeDevice(Device device);
/// By position, for a mesh.
DeviceIds getDeviceIds(Device device);
SystemDesc getDeviceSystemDesc(Device device);

/// Opens chips of the current system as a mesh. `deviceIds` are row-major over
/// it; without them they are 0, 1, .. where these have links to their
/// neighbours in the mesh, else the first ones in lexicographic order that
/// have. Programs of a mesh choose their chips by id, so any device that has
/// them will do.
Device openMeshDevice(std::vector<std::uint32_t> const &meshShape,
                      std::vector<int> const &deviceIds = {});
/// The same on a given system.
Device openMeshDevice(SystemDesc systemDesc,
                      std::vector<std::uint32_t> const &meshShape,
                      std::vector<int> const &deviceIds = {});
/// The extents of the mesh; 1xN for N chips that were opened one by one.
std::vector<std::uint32_t> getMeshShape(Device device);
/// The block of `meshShape` of a mesh that begins at `offset`; {} is the
/// origin. It shares the chips and the memory of its parent, and is released,
/// not closed.
Device createSubMeshDevice(Device parent,
                           std::vector<std::uint32_t> const &meshShape,
                           std::vector<std::uint32_t> const &offset = {});
/// The submesh cannot be used after; its parent and all tensors can.
void releaseSubMeshDevice(Device subMesh);
/// Another shape for a mesh, with the same number of chips, row-major.
void reshapeMeshDevice(Device device,
                       std::vector<std::uint32_t> const &meshShape);

/// How later runs on a device execute kernels. Newly opened devices have the
/// defaults.
void setDeviceOptions(Device device, const DeviceOptions &options);
DeviceOptions getDeviceOptions(Device device);
void setDefaultDeviceOptions(const DeviceOptions &options);
DeviceOptions getDefaultDeviceOptions();

/// A copy of `tensor` in the layout of `tensorDesc`, or `tensor` itself if it
/// has it: brings a result to the layout that another program wants.
Tensor toLayout(Tensor tensor, Device device,
                ::tt::target::TensorDesc const *tensorDesc);
/// The same as an input of a program wants it. `tensor` itself where the run
/// brings it there: inputs of TTMetal programs in rows have fixed addresses.
Tensor toLayout(Tensor tensor, Device device, Binary const &executable,
                std::uint32_t programIndex, std::uint32_t inputIndex);
/// The same for the chip at a position of the program's mesh, from a tensor of
/// one chip.
Tensor toLayout(Tensor tensor, Device device, Binary const &executable,
                std::uint32_t programIndex, std::uint32_t inputIndex,
                std::uint32_t position);
/// A copy of a tensor of one chip on another chip of the device, or on the same
/// one, in the memory and the layout that it has.
Tensor copyToChip(Tensor tensor, Device device, std::uint32_t chipId);
/// A row-major host copy, converted to `dataType` if given (block floats become
/// Float32 without it). Of a tensor of a mesh it is the tensor that all chips
/// have; if they differ, it is an error: see aggregateTensor and getShards.
Tensor toHost(Tensor tensor,
              std::optional<::tt::target::DataType> dataType = std::nullopt);
/// The same into existing memory, row-major and contiguous, of `size` bytes.
void toHost(Tensor tensor, ::tt::target::DataType dataType, void *memory,
            std::size_t size);

/// Runs a program and writes its results to `outputs`.
Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs);
/// Runs a program and returns its results where the program leaves them; a
/// result on a device can be the input of another program without a copy. Those
/// of a TTMetal program come to the host: the next run reuses their addresses.
std::vector<Tensor> submit(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs);
void wait(Event event);

/// What the kernels of the last TTMetal run printed, in an order that does not
/// depend on the number of host threads.
std::vector<DebugLine> getDebugPrints(Device device);

/// Findings of the checks in the last TTMetal run that may be intended, such as
/// pages left in a circular buffer.
std::vector<std::string> getNotes(Device device);

/// Turns the cost report of later submits on this device on or off, with
/// `trace` the timeline too. Throws Error(Argument) for a filter that cannot
/// be.
void enableReport(Device device, bool enabled,
                  std::optional<TraceFilter> trace = std::nullopt);
/// The report of the last submit that had it on.
Report getReport(Device device);
/// Estimates the report of a TTNN program without running it, for tensors on
/// the host and with cached values available. It has no high-water marks and no
/// memory. Attention with positions, which only a run knows, has its last query
/// at `position`; by default it reads the whole cache. Throws
/// Error(Unsupported) for kernels, loops and conditions, Error(Argument) for a
/// negative position.
Report estimateReport(Binary const &executable, std::uint32_t programIndex,
                      std::optional<std::int64_t> position = std::nullopt);

/// Largest host tensor that the runtime allocates, in bytes; by default the
/// memory of the machine.
void setHostMemoryLimit(std::int64_t bytes);

/// Host threads that kernels and copies use; values below 1 choose all CPUs.
/// Results do not depend on it.
void setNumThreads(int count);
/// A function that runs call in each turn of their loops, on the thread of
/// submit(): what it throws ends the run. Null, the default, for none.
void setHostPoll(void (*poll)());
int getNumThreads();

} // namespace tt::runtime

#endif // TT_RUNTIME_RUNTIME_H
