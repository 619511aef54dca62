#include "table.h"
#include "worker.h"

using namespace tt::pjrt;
using namespace tt::pjrt::abi;

Error *tt::pjrt::checkAddressable(const Device &device) {
  if (device.isAddressable())
    return nullptr;
  return invalid(device.description.text +
                 ": expected a device of this process, found one of process " +
                 std::to_string(device.description.process));
}

namespace {

Error *descriptionId(DeviceDescription_Id_Args *args) {
  args->id = args->device_description->id;
  return nullptr;
}

Error *descriptionProcessIndex(DeviceDescription_ProcessIndex_Args *args) {
  args->process_index = args->device_description->process;
  return nullptr;
}

Error *descriptionAttributes(DeviceDescription_Attributes_Args *args) {
  args->attributes = nullptr;
  args->num_attributes = 0;
  return nullptr;
}

Error *descriptionKind(DeviceDescription_Kind_Args *args) {
  giveText(args->device_description->kind, args->device_kind,
           args->device_kind_size);
  return nullptr;
}

Error *descriptionDebugString(DeviceDescription_DebugString_Args *args) {
  giveText(args->device_description->debugText, args->debug_string,
           args->debug_string_size);
  return nullptr;
}

Error *descriptionToString(DeviceDescription_ToString_Args *args) {
  giveText(args->device_description->text, args->to_string,
           args->to_string_size);
  return nullptr;
}

Error *deviceGetDescription(Device_GetDescription_Args *args) {
  args->device_description = &args->device->description;
  return nullptr;
}

Error *deviceIsAddressable(Device_IsAddressable_Args *args) {
  args->is_addressable = args->device->isAddressable();
  return nullptr;
}

Error *deviceLocalHardwareId(Device_LocalHardwareId_Args *args) {
  args->local_hardware_id = args->device->localId;
  return nullptr;
}

Error *deviceAddressableMemories(Device_AddressableMemories_Args *args) {
  args->memories = args->device->memories;
  args->num_memories = args->device->isAddressable() ? 1 : 0;
  return nullptr;
}

Error *deviceDefaultMemory(Device_DefaultMemory_Args *args) {
  if (Error *error = checkAddressable(*args->device))
    return error;
  args->memory = &args->device->memory;
  return nullptr;
}

/// Of what was dispatched until now, and not yet deleted.
Error *deviceMemoryStats(Device_MemoryStats_Args *args) {
  if (Error *error = checkAddressable(*args->device))
    return error;
  const auto done = std::make_shared<Completion>();
  Failure failure =
      Worker::get().runOrPost([]() -> Failure { return nullptr; }, done);
  if (!failure)
    failure = done->wait();
  if (failure)
    return copyError(failure);
  const MemoryAccount &account = *args->device->account;
  const MemoryAccount::Stats stats = account.stats();
  // Older callers end with largest_free_block_bytes_is_set.
  constexpr std::size_t known = offsetof(Device_MemoryStats_Args, pool_bytes);
  char *const begin = reinterpret_cast<char *>(&args->bytes_in_use);
  std::memset(begin, 0,
              known - offsetof(Device_MemoryStats_Args, bytes_in_use));
  args->bytes_in_use = stats.inUse;
  args->peak_bytes_in_use = stats.peak;
  args->num_allocs = stats.count;
  args->largest_alloc_size = stats.largest;
  args->bytes_limit = account.limit();
  args->peak_bytes_in_use_is_set = true;
  args->num_allocs_is_set = true;
  args->largest_alloc_size_is_set = true;
  args->bytes_limit_is_set = true;
  constexpr std::size_t all =
      offsetof(Device_MemoryStats_Args, peak_pool_bytes_is_set) + 1;
  if (args->head.struct_size >= all) {
    args->pool_bytes_is_set = false;
    args->peak_pool_bytes_is_set = false;
  }
  return nullptr;
}

Error *memoryId(Memory_Id_Args *args) {
  args->id = args->memory->device->description.id;
  return nullptr;
}

Error *memoryKindText(Memory_Kind_Args *args) {
  args->kind = tt::pjrt::memoryKind;
  args->kind_size = std::strlen(tt::pjrt::memoryKind);
  return nullptr;
}

Error *memoryKindId(Memory_Kind_Id_Args *args) {
  args->kind_id = 0;
  return nullptr;
}

Error *memoryDebugString(Memory_DebugString_Args *args) {
  giveText(args->memory->text, args->debug_string, args->debug_string_size);
  return nullptr;
}

Error *memoryToString(Memory_ToString_Args *args) {
  giveText(args->memory->text, args->to_string, args->to_string_size);
  return nullptr;
}

Error *memoryAddressableByDevices(Memory_AddressableByDevices_Args *args) {
  args->devices = &args->memory->device;
  args->num_devices = 1;
  return nullptr;
}

} // namespace

void tt::pjrt::addDevices(Table &table) {
  table.add(Function::DeviceDescription_Id, descriptionId);
  table.add(Function::DeviceDescription_ProcessIndex, descriptionProcessIndex);
  table.add(Function::DeviceDescription_Attributes, descriptionAttributes);
  table.add(Function::DeviceDescription_Kind, descriptionKind);
  table.add(Function::DeviceDescription_DebugString, descriptionDebugString);
  table.add(Function::DeviceDescription_ToString, descriptionToString);
  table.add(Function::Device_GetDescription, deviceGetDescription);
  table.add(Function::Device_IsAddressable, deviceIsAddressable);
  table.add(Function::Device_LocalHardwareId, deviceLocalHardwareId);
  table.add(Function::Device_AddressableMemories, deviceAddressableMemories);
  table.add(Function::Device_DefaultMemory, deviceDefaultMemory);
  table.add(Function::Device_MemoryStats, deviceMemoryStats);
  table.add(Function::Memory_Id, memoryId);
  table.add(Function::Memory_Kind, memoryKindText);
  table.add(Function::Memory_Kind_Id, memoryKindId);
  table.add(Function::Memory_DebugString, memoryDebugString);
  table.add(Function::Memory_ToString, memoryToString);
  table.add(Function::Memory_AddressableByDevices, memoryAddressableByDevices);
}
