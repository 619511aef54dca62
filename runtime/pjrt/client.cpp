#include "module.h"
#include "table.h"

#include <algorithm>

using namespace tt::pjrt;
using namespace tt::pjrt::abi;

namespace {

Error *pluginInitialize(Plugin_Initialize_Args *) { return nullptr; }

Error *pluginAttributes(Plugin_Attributes_Args *args) {
  args->attributes = pluginAttributeList().data();
  args->num_attributes = pluginAttributeList().size();
  return nullptr;
}

/// One device for each chip of the system, as the backend lists them.
bool fillDevices(Client &client, PyObject *backend) {
  const Local devices(PyObject_GetAttrString(backend, "devices"));
  return devices && forItems(devices.get(), [&](PyObject *item) {
           const char *kind = nullptr, *text = nullptr, *debug = nullptr;
           long long memory = 0;
           int process = 0;
           if (!PyArg_ParseTuple(item, "sssLi", &kind, &text, &debug, &memory,
                                 &process))
             return false;
           const auto id = int(client.devices.size());
           auto device = std::make_unique<Device>();
           device->backend = client.backend;
           device->account = std::make_shared<MemoryAccount>(text, memory);
           device->description = {id, kind, text, debug, process};
           device->memory = {device.get(), "TTMemory(DRAM of chip " +
                                               std::to_string(id) + ")"};
           client.devicePointers.push_back(device.get());
           if (process == client.process) {
             device->localId = int(client.addressableDevices.size());
             client.addressableDevices.push_back(device.get());
             client.memoryPointers.push_back(&device->memory);
           }
           client.devices.push_back(std::move(device));
           return true;
         });
}

Error *clientCreate(Client_Create_Args *args) {
  const Gil gil;
  if (!backendFactory())
    return makeError(ErrorCode::Cancelled,
                     "the Python interpreter is about to end");
  Local backend(PyObject_CallNoArgs(backendFactory()));
  if (!backend)
    return copyError(takePythonError());
  auto client = std::make_unique<Client>();
  client->backend = std::make_shared<Held>();
  client->backend->set(Local::share(backend.get()));
  const Local version(
      PyObject_GetAttrString(backend.get(), "platform_version"));
  const char *text = version ? PyUnicode_AsUTF8(version.get()) : nullptr;
  const Local process(
      text ? PyObject_GetAttrString(backend.get(), "process_index") : nullptr);
  client->process = process ? int(PyLong_AsLong(process.get())) : -1;
  if (client->process < 0 || !fillDevices(*client, backend.get()))
    return copyError(takePythonError());
  client->platformVersion = text;
  args->client = client.release();
  return nullptr;
}

Error *clientDestroy(Client_Destroy_Args *args) {
  delete args->client;
  return nullptr;
}

Error *clientPlatformName(Client_PlatformName_Args *args) {
  args->platform_name = platformName;
  args->platform_name_size = std::strlen(platformName);
  return nullptr;
}

Error *clientPlatformVersion(Client_PlatformVersion_Args *args) {
  giveText(args->client->platformVersion, args->platform_version,
           args->platform_version_size);
  return nullptr;
}

Error *clientProcessIndex(Client_ProcessIndex_Args *args) {
  args->process_index = args->client->process;
  return nullptr;
}

Error *clientDevices(Client_Devices_Args *args) {
  args->devices = args->client->devicePointers.data();
  args->num_devices = args->client->devicePointers.size();
  return nullptr;
}

/// Those of this process.
Error *clientAddressableDevices(Client_AddressableDevices_Args *args) {
  args->addressable_devices = args->client->addressableDevices.data();
  args->num_addressable_devices = args->client->addressableDevices.size();
  return nullptr;
}

Error *findDevice(const std::vector<Device *> &devices, const char *owner,
                  int id, Device *&device) {
  if (id < 0 || std::size_t(id) >= devices.size())
    return invalid("no chip " + std::to_string(id) + ": the " + owner +
                   " has " + std::to_string(devices.size()));
  device = devices[id];
  return nullptr;
}

Error *clientLookupDevice(Client_LookupDevice_Args *args) {
  return findDevice(args->client->devicePointers, "system", args->id,
                    args->device);
}

Error *
clientLookupAddressableDevice(Client_LookupAddressableDevice_Args *args) {
  return findDevice(args->client->addressableDevices, "process",
                    args->local_hardware_id, args->addressable_device);
}

Error *clientAddressableMemories(Client_AddressableMemories_Args *args) {
  args->addressable_memories = args->client->memoryPointers.data();
  args->num_addressable_memories = args->client->memoryPointers.size();
  return nullptr;
}

/// Chips in their order: those of this process if they suffice.
Error *
clientDefaultDeviceAssignment(Client_DefaultDeviceAssignment_Args *args) {
  const std::int64_t wanted =
      std::int64_t(args->num_replicas) * args->num_partitions;
  const std::vector<Device *> &own = args->client->addressableDevices;
  const std::vector<Device *> &devices =
      std::size_t(wanted) <= own.size() ? own : args->client->devicePointers;
  const std::size_t count = devices.size();
  if (args->num_replicas < 1 || args->num_partitions < 1 ||
      std::size_t(wanted) > count)
    return invalid("no assignment of " + std::to_string(args->num_replicas) +
                   " replicas of " + std::to_string(args->num_partitions) +
                   " partitions: the system has " + std::to_string(count) +
                   " chips");
  if (args->default_assignment_size < std::size_t(wanted))
    return invalid("the array for the device assignment is too small");
  for (int i = 0; i < wanted; ++i)
    args->default_assignment[i] = devices[i]->description.id;
  return nullptr;
}

} // namespace

void tt::pjrt::addClient(Table &table) {
  table.add(Function::Plugin_Initialize, pluginInitialize);
  table.add(Function::Plugin_Attributes, pluginAttributes);
  table.add(Function::Client_Create, clientCreate);
  table.add(Function::Client_Destroy, clientDestroy);
  table.add(Function::Client_PlatformName, clientPlatformName);
  table.add(Function::Client_PlatformVersion, clientPlatformVersion);
  table.add(Function::Client_ProcessIndex, clientProcessIndex);
  table.add(Function::Client_Devices, clientDevices);
  table.add(Function::Client_AddressableDevices, clientAddressableDevices);
  table.add(Function::Client_LookupDevice, clientLookupDevice);
  table.add(Function::Client_LookupAddressableDevice,
            clientLookupAddressableDevice);
  table.add(Function::Client_AddressableMemories, clientAddressableMemories);
  table.add(Function::Client_DefaultDeviceAssignment,
            clientDefaultDeviceAssignment);
}
