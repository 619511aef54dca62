// The TTNN runtime: the functions of runtime.h that depend on the kind of
// program.
#ifndef TT_RUNTIME_DETAIL_TTNN_H
#define TT_RUNTIME_DETAIL_TTNN_H

#include "tt/runtime/runtime.h"

namespace tt::runtime::ttnn {

Tensor createTensor(std::shared_ptr<void> data,
                    std::vector<std::uint32_t> const &shape,
                    std::vector<std::uint32_t> const &stride,
                    std::uint32_t itemsize, ::tt::target::DataType dataType);
Tensor createEmptyTensor(std::vector<std::uint32_t> const &shape,
                         ::tt::target::DataType dataType);
::tt::target::DataType getTensorDataType(Tensor tensor);
TensorDesc getTensorDesc(Tensor tensor);
std::string describeTensor(Tensor tensor);
bool isOnDevice(Tensor tensor);
bool isRowMajorHost(Tensor tensor);

Device openDevice(SystemDesc systemDesc, std::vector<int> const &deviceIds);
void closeDevice(Device device);
void deallocateBuffers(Device device);
void deallocateTensor(Tensor tensor);
DeviceIds getDeviceIds(Device device);
SystemDesc getDeviceSystemDesc(Device device);

Tensor toLayout(Tensor tensor, Device device,
                ::tt::target::TensorDesc const *tensorDesc);
Tensor toHost(Tensor tensor, std::optional<::tt::target::DataType> dataType);
void toHost(Tensor tensor, ::tt::target::DataType dataType, void *memory,
            std::size_t size);

Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs);
std::vector<Tensor> submit(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs);
void wait(Event event);

void enableReport(Device device, bool enabled);
Report getReport(Device device);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_DETAIL_TTNN_H
