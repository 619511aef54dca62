// The part of the PJRT C API that the plugin needs: the order of the function
// table, and the structures that the implemented functions take.
//
// These are declarations of an interface that others define. Names and members
// are those of the interface without the prefix PJRT_, so that
// check_abi.py can compare each size and offset with the official header. The
// numbers in the assertions at the end are what was found there.
//
// The caller owns every argument structure. Texts and arrays that a function
// returns in one belong to the object that was asked and live as long as it
// does.
#ifndef TT_PJRT_ABI_H
#define TT_PJRT_ABI_H

#include "functions.h"

#include <cstddef>
#include <cstdint>

namespace tt::pjrt {

// What a caller only has pointers to; objects.h defines them.
struct Error;
struct Event;
struct Client;
struct Device;
struct Memory;
struct DeviceDescription;
struct Executable;
struct LoadedExecutable;
struct Buffer;

namespace abi {

/// The first member of all structures.
struct Head {
  std::size_t struct_size;
  void *extension_start;
};

constexpr int majorVersion = 0;
constexpr int minorVersion = 90;

struct Api_Version {
  Head head;
  int major_version;
  int minor_version;
};

struct Api {
  Head head;
  Api_Version pjrt_api_version;
  void (*functions[std::size_t(Function::Count)])();
};

enum class ErrorCode : int {
  Ok = 0,
  Cancelled = 1,
  Unknown = 2,
  InvalidArgument = 3,
  NotFound = 5,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Unimplemented = 12,
  Internal = 13,
};

/// Element types; those with fewer than 8 bits are not included.
enum class BufferType : int {
  Invalid,
  Pred,
  S8,
  S16,
  S32,
  S64,
  U8,
  U16,
  U32,
  U64,
  F16,
  F32,
  F64,
  BF16,
  C64,
  C128,
  F8E5M2,
  F8E4M3FN,
  F8E4M3B11FNUZ,
  F8E5M2FNUZ,
  F8E4M3FNUZ,
  S4,
  U4,
  TOKEN,
  S2,
  U2,
  F8E4M3,
  F8E3M4,
  F8E8M0FNU,
  F4E2M1FN,
};

struct Error_Destroy_Args {
  Head head;
  Error *error;
};
struct Error_Message_Args {
  Head head;
  const Error *error;
  const char *message;
  std::size_t message_size;
};
struct Error_GetCode_Args {
  Head head;
  const Error *error;
  ErrorCode code;
};

enum class NamedValueType : int { String, Int64, Int64List, Float, Bool };

struct NamedValue {
  Head head;
  const char *name;
  std::size_t name_size;
  NamedValueType type;
  union {
    const char *string_value;
    std::int64_t int64_value;
    const std::int64_t *int64_array_value;
    float float_value;
    bool bool_value;
  };
  std::size_t value_size;
};

struct Plugin_Initialize_Args {
  Head head;
};
struct Plugin_Attributes_Args {
  Head head;
  const NamedValue *attributes;
  std::size_t num_attributes;
};

struct Event_Destroy_Args {
  Head head;
  Event *event;
};
struct Event_IsReady_Args {
  Head head;
  Event *event;
  bool is_ready;
};
struct Event_Error_Args {
  Head head;
  Event *event;
};
struct Event_Await_Args {
  Head head;
  Event *event;
};
/// Called once with an error that it owns, or null.
using Event_OnReadyCallback = void (*)(Error *error, void *user_arg);
struct Event_OnReady_Args {
  Head head;
  Event *event;
  Event_OnReadyCallback callback;
  void *user_arg;
};

struct Client_Create_Args {
  Head head;
  const NamedValue *create_options;
  std::size_t num_options;
  void (*kv_get_callback)();
  void *kv_get_user_arg;
  void (*kv_put_callback)();
  void *kv_put_user_arg;
  Client *client;
  void (*kv_try_get_callback)();
  void *kv_try_get_user_arg;
};
struct Client_Destroy_Args {
  Head head;
  Client *client;
};
struct Client_PlatformName_Args {
  Head head;
  Client *client;
  const char *platform_name;
  std::size_t platform_name_size;
};
struct Client_ProcessIndex_Args {
  Head head;
  Client *client;
  int process_index;
};
struct Client_PlatformVersion_Args {
  Head head;
  Client *client;
  const char *platform_version;
  std::size_t platform_version_size;
};
struct Client_Devices_Args {
  Head head;
  Client *client;
  Device *const *devices;
  std::size_t num_devices;
};
struct Client_AddressableDevices_Args {
  Head head;
  Client *client;
  Device *const *addressable_devices;
  std::size_t num_addressable_devices;
};
struct Client_LookupDevice_Args {
  Head head;
  Client *client;
  int id;
  Device *device;
};
struct Client_LookupAddressableDevice_Args {
  Head head;
  Client *client;
  int local_hardware_id;
  Device *addressable_device;
};
struct Client_AddressableMemories_Args {
  Head head;
  Client *client;
  Memory *const *addressable_memories;
  std::size_t num_addressable_memories;
};
struct Program {
  Head head;
  char *code;
  std::size_t code_size;
  const char *format;
  std::size_t format_size;
};
struct Client_Compile_Args {
  Head head;
  Client *client;
  const Program *program;
  const char *compile_options;
  std::size_t compile_options_size;
  LoadedExecutable *executable;
};
struct Client_DefaultDeviceAssignment_Args {
  Head head;
  Client *client;
  int num_replicas;
  int num_partitions;
  std::size_t default_assignment_size;
  int *default_assignment;
};

struct Buffer_MemoryLayout_Tiled {
  Head head;
  const std::int64_t *minor_to_major;
  std::size_t minor_to_major_size;
  const std::int64_t *tile_dims;
  const std::size_t *tile_dim_sizes;
  std::size_t num_tiles;
};
struct Buffer_MemoryLayout_Strides {
  Head head;
  const std::int64_t *byte_strides;
  std::size_t num_byte_strides;
};
enum class MemoryLayoutType : int { Tiled, Strides };
struct Buffer_MemoryLayout {
  Head head;
  union {
    Buffer_MemoryLayout_Tiled tiled;
    Buffer_MemoryLayout_Strides strides;
  };
  MemoryLayoutType type;
};
struct Client_BufferFromHostBuffer_Args {
  Head head;
  Client *client;
  const void *data;
  BufferType type;
  const std::int64_t *dims;
  std::size_t num_dims;
  const std::int64_t *byte_strides;
  std::size_t num_byte_strides;
  int host_buffer_semantics;
  Device *device;
  Memory *memory;
  Buffer_MemoryLayout *device_layout;
  Event *done_with_host_buffer;
  Buffer *buffer;
};

struct DeviceDescription_Id_Args {
  Head head;
  DeviceDescription *device_description;
  int id;
};
struct DeviceDescription_ProcessIndex_Args {
  Head head;
  DeviceDescription *device_description;
  int process_index;
};
struct DeviceDescription_Attributes_Args {
  Head head;
  DeviceDescription *device_description;
  std::size_t num_attributes;
  const NamedValue *attributes;
};
struct DeviceDescription_Kind_Args {
  Head head;
  DeviceDescription *device_description;
  const char *device_kind;
  std::size_t device_kind_size;
};
struct DeviceDescription_DebugString_Args {
  Head head;
  DeviceDescription *device_description;
  const char *debug_string;
  std::size_t debug_string_size;
};
struct DeviceDescription_ToString_Args {
  Head head;
  DeviceDescription *device_description;
  const char *to_string;
  std::size_t to_string_size;
};

struct Device_GetDescription_Args {
  Head head;
  Device *device;
  DeviceDescription *device_description;
};
struct Device_IsAddressable_Args {
  Head head;
  Device *device;
  bool is_addressable;
};
struct Device_LocalHardwareId_Args {
  Head head;
  Device *device;
  int local_hardware_id;
};
struct Device_AddressableMemories_Args {
  Head head;
  Device *device;
  Memory *const *memories;
  std::size_t num_memories;
};
struct Device_DefaultMemory_Args {
  Head head;
  Device *device;
  Memory *memory;
};
struct Device_MemoryStats_Args {
  Head head;
  Device *device;
  std::int64_t bytes_in_use;
  std::int64_t peak_bytes_in_use;
  bool peak_bytes_in_use_is_set;
  std::int64_t num_allocs;
  bool num_allocs_is_set;
  std::int64_t largest_alloc_size;
  bool largest_alloc_size_is_set;
  std::int64_t bytes_limit;
  bool bytes_limit_is_set;
  std::int64_t bytes_reserved;
  bool bytes_reserved_is_set;
  std::int64_t peak_bytes_reserved;
  bool peak_bytes_reserved_is_set;
  std::int64_t bytes_reservable_limit;
  bool bytes_reservable_limit_is_set;
  std::int64_t largest_free_block_bytes;
  bool largest_free_block_bytes_is_set;
  std::int64_t pool_bytes;
  bool pool_bytes_is_set;
  std::int64_t peak_pool_bytes;
  bool peak_pool_bytes_is_set;
};

struct Memory_Id_Args {
  Head head;
  Memory *memory;
  int id;
};
struct Memory_Kind_Args {
  Head head;
  Memory *memory;
  const char *kind;
  std::size_t kind_size;
};
struct Memory_Kind_Id_Args {
  Head head;
  Memory *memory;
  int kind_id;
};
struct Memory_DebugString_Args {
  Head head;
  Memory *memory;
  const char *debug_string;
  std::size_t debug_string_size;
};
struct Memory_ToString_Args {
  Head head;
  Memory *memory;
  const char *to_string;
  std::size_t to_string_size;
};
struct Memory_AddressableByDevices_Args {
  Head head;
  Memory *memory;
  Device *const *devices;
  std::size_t num_devices;
};

struct Executable_Destroy_Args {
  Head head;
  Executable *executable;
};
struct Executable_Name_Args {
  Head head;
  Executable *executable;
  const char *executable_name;
  std::size_t executable_name_size;
};
struct Executable_NumReplicas_Args {
  Head head;
  Executable *executable;
  std::size_t num_replicas;
};
struct Executable_NumPartitions_Args {
  Head head;
  Executable *executable;
  std::size_t num_partitions;
};
struct Executable_NumOutputs_Args {
  Head head;
  Executable *executable;
  std::size_t num_outputs;
};
struct Executable_SizeOfGeneratedCodeInBytes_Args {
  Head head;
  Executable *executable;
  std::int64_t size_in_bytes;
};
struct Executable_Fingerprint_Args {
  Head head;
  Executable *executable;
  const char *executable_fingerprint;
  std::size_t executable_fingerprint_size;
};
struct Executable_GetCompiledMemoryStats_Args {
  Head head;
  Executable *executable;
  std::int64_t generated_code_size_in_bytes;
  std::int64_t argument_size_in_bytes;
  std::int64_t output_size_in_bytes;
  std::int64_t alias_size_in_bytes;
  std::int64_t temp_size_in_bytes;
  std::int64_t host_generated_code_size_in_bytes;
  std::int64_t host_argument_size_in_bytes;
  std::int64_t host_output_size_in_bytes;
  std::int64_t host_alias_size_in_bytes;
  std::int64_t host_temp_size_in_bytes;
  std::int64_t peak_memory_in_bytes;
  std::int64_t total_size_in_bytes;
};
struct Executable_OutputElementTypes_Args {
  Head head;
  Executable *executable;
  BufferType *output_types;
  std::size_t num_output_types;
};
struct Executable_OutputDimensions_Args {
  Head head;
  Executable *executable;
  std::size_t num_outputs;
  const std::int64_t *dims;
  const std::size_t *dim_sizes;
};
struct Executable_OutputMemoryKinds_Args {
  Head head;
  Executable *executable;
  std::size_t num_outputs;
  const char *const *memory_kinds;
  const std::size_t *memory_kind_sizes;
};
struct Executable_OptimizedProgram_Args {
  Head head;
  Executable *executable;
  Program *program;
};
/// What owns returned bytes until the caller passes it to its deleter.
struct Bytes;
struct Executable_Serialize_Args {
  Head head;
  const Executable *executable;
  const char *serialized_bytes;
  std::size_t serialized_bytes_size;
  Bytes *serialized_executable;
  void (*serialized_executable_deleter)(Bytes *bytes);
};
struct Executable_GetCompileOptions_Args {
  Head head;
  Executable *executable;
  const char *serialized_bytes;
  std::size_t serialized_bytes_size;
  Bytes *serialized_compile_options;
  void (*serialized_compile_options_deleter)(Bytes *bytes);
};
struct Executable_DeserializeAndLoad_Args {
  Head head;
  Client *client;
  const char *serialized_executable;
  std::size_t serialized_executable_size;
  LoadedExecutable *loaded_executable;
  const char *overridden_serialized_compile_options;
  std::size_t overridden_serialized_compile_options_size;
};

struct LoadedExecutable_Destroy_Args {
  Head head;
  LoadedExecutable *executable;
};
struct LoadedExecutable_GetExecutable_Args {
  Head head;
  LoadedExecutable *loaded_executable;
  Executable *executable;
};
struct LoadedExecutable_AddressableDevices_Args {
  Head head;
  LoadedExecutable *executable;
  Device *const *addressable_devices;
  std::size_t num_addressable_devices;
};
struct LoadedExecutable_GetDeviceAssignment_Args {
  Head head;
  LoadedExecutable *executable;
  const char *serialized_bytes;
  std::size_t serialized_bytes_size;
  Bytes *serialized_device_assignment;
  void (*serialized_device_assignment_deleter)(Bytes *bytes);
};
struct LoadedExecutable_Delete_Args {
  Head head;
  LoadedExecutable *executable;
};
struct LoadedExecutable_IsDeleted_Args {
  Head head;
  LoadedExecutable *executable;
  bool is_deleted;
};
struct LoadedExecutable_Fingerprint_Args {
  Head head;
  LoadedExecutable *executable;
  const char *executable_fingerprint;
  std::size_t executable_fingerprint_size;
};
struct ExecuteOptions {
  Head head;
  void **send_callbacks;
  void **recv_callbacks;
  std::size_t num_send_ops;
  std::size_t num_recv_ops;
  int launch_id;
  const std::int64_t *non_donatable_input_indices;
  std::size_t num_non_donatable_input_indices;
  void *context;
  const char *call_location;
  std::size_t num_tasks;
  int *task_ids;
  std::int64_t *incarnation_ids;
};
struct LoadedExecutable_Execute_Args {
  Head head;
  LoadedExecutable *executable;
  ExecuteOptions *options;
  Buffer *const *const *argument_lists;
  std::size_t num_devices;
  std::size_t num_args;
  Buffer **const *output_lists;
  Event **device_complete_events;
  Device *execute_device;
};

struct Buffer_Destroy_Args {
  Head head;
  Buffer *buffer;
};
struct Buffer_ElementType_Args {
  Head head;
  Buffer *buffer;
  BufferType type;
};
struct Buffer_Dimensions_Args {
  Head head;
  Buffer *buffer;
  const std::int64_t *dims;
  std::size_t num_dims;
};
struct Buffer_UnpaddedDimensions_Args {
  Head head;
  Buffer *buffer;
  const std::int64_t *unpadded_dims;
  std::size_t num_dims;
};
struct Buffer_DynamicDimensionIndices_Args {
  Head head;
  Buffer *buffer;
  const std::size_t *dynamic_dim_indices;
  std::size_t num_dynamic_dims;
};
struct Buffer_GetMemoryLayout_Args {
  Head head;
  Buffer *buffer;
  Buffer_MemoryLayout layout;
};
struct Buffer_ToHostBuffer_Args {
  Head head;
  Buffer *src;
  Buffer_MemoryLayout *host_layout;
  void *dst;
  std::size_t dst_size;
  Event *event;
};
struct Buffer_OnDeviceSizeInBytes_Args {
  Head head;
  Buffer *buffer;
  std::size_t on_device_size_in_bytes;
};
struct Buffer_Device_Args {
  Head head;
  Buffer *buffer;
  Device *device;
};
struct Buffer_Memory_Args {
  Head head;
  Buffer *buffer;
  Memory *memory;
};
struct Buffer_Delete_Args {
  Head head;
  Buffer *buffer;
};
struct Buffer_IsDeleted_Args {
  Head head;
  Buffer *buffer;
  bool is_deleted;
};
struct Buffer_CopyToDevice_Args {
  Head head;
  Buffer *buffer;
  Device *dst_device;
  Buffer *dst_buffer;
};
struct Buffer_CopyToMemory_Args {
  Head head;
  Buffer *buffer;
  Memory *dst_memory;
  Buffer *dst_buffer;
};
struct Buffer_IsOnCpu_Args {
  Head head;
  Buffer *buffer;
  bool is_on_cpu;
};
struct Buffer_ReadyEvent_Args {
  Head head;
  Buffer *buffer;
  Event *event;
};

/// The size of a structure, and the offset of its last member.
#define TT_ABI(Structure, Size, Last, Offset)                                  \
  static_assert(sizeof(Structure) == Size &&                                   \
                    offsetof(Structure, Last) == Offset,                       \
                #Structure " is not that of the PJRT C API")
TT_ABI(Api_Version, 24, minor_version, 20);
TT_ABI(Api, 1064, functions, 40);
TT_ABI(Error_Destroy_Args, 24, error, 16);
TT_ABI(Error_Message_Args, 40, message_size, 32);
TT_ABI(Error_GetCode_Args, 32, code, 24);
TT_ABI(NamedValue, 56, value_size, 48);
TT_ABI(Plugin_Initialize_Args, 16, head, 0);
TT_ABI(Plugin_Attributes_Args, 32, num_attributes, 24);
TT_ABI(Event_Destroy_Args, 24, event, 16);
TT_ABI(Event_IsReady_Args, 32, is_ready, 24);
TT_ABI(Event_Error_Args, 24, event, 16);
TT_ABI(Event_Await_Args, 24, event, 16);
TT_ABI(Event_OnReady_Args, 40, user_arg, 32);
TT_ABI(Client_Create_Args, 88, kv_try_get_user_arg, 80);
TT_ABI(Client_Destroy_Args, 24, client, 16);
TT_ABI(Client_PlatformName_Args, 40, platform_name_size, 32);
TT_ABI(Client_ProcessIndex_Args, 32, process_index, 24);
TT_ABI(Client_PlatformVersion_Args, 40, platform_version_size, 32);
TT_ABI(Client_Devices_Args, 40, num_devices, 32);
TT_ABI(Client_AddressableDevices_Args, 40, num_addressable_devices, 32);
TT_ABI(Client_LookupDevice_Args, 40, device, 32);
TT_ABI(Client_LookupAddressableDevice_Args, 40, addressable_device, 32);
TT_ABI(Client_AddressableMemories_Args, 40, num_addressable_memories, 32);
TT_ABI(Program, 48, format_size, 40);
TT_ABI(Client_Compile_Args, 56, executable, 48);
TT_ABI(Client_DefaultDeviceAssignment_Args, 48, default_assignment, 40);
TT_ABI(Buffer_MemoryLayout_Tiled, 56, num_tiles, 48);
TT_ABI(Buffer_MemoryLayout_Strides, 32, num_byte_strides, 24);
TT_ABI(Buffer_MemoryLayout, 80, type, 72);
TT_ABI(Client_BufferFromHostBuffer_Args, 120, buffer, 112);
TT_ABI(DeviceDescription_Id_Args, 32, id, 24);
TT_ABI(DeviceDescription_ProcessIndex_Args, 32, process_index, 24);
TT_ABI(DeviceDescription_Attributes_Args, 40, attributes, 32);
TT_ABI(DeviceDescription_Kind_Args, 40, device_kind_size, 32);
TT_ABI(DeviceDescription_DebugString_Args, 40, debug_string_size, 32);
TT_ABI(DeviceDescription_ToString_Args, 40, to_string_size, 32);
TT_ABI(Device_GetDescription_Args, 32, device_description, 24);
TT_ABI(Device_IsAddressable_Args, 32, is_addressable, 24);
TT_ABI(Device_LocalHardwareId_Args, 32, local_hardware_id, 24);
TT_ABI(Device_AddressableMemories_Args, 40, num_memories, 32);
TT_ABI(Device_DefaultMemory_Args, 32, memory, 24);
TT_ABI(Device_MemoryStats_Args, 192, peak_pool_bytes_is_set, 184);
TT_ABI(Memory_Id_Args, 32, id, 24);
TT_ABI(Memory_Kind_Args, 40, kind_size, 32);
TT_ABI(Memory_Kind_Id_Args, 32, kind_id, 24);
TT_ABI(Memory_DebugString_Args, 40, debug_string_size, 32);
TT_ABI(Memory_ToString_Args, 40, to_string_size, 32);
TT_ABI(Memory_AddressableByDevices_Args, 40, num_devices, 32);
TT_ABI(Executable_Destroy_Args, 24, executable, 16);
TT_ABI(Executable_Name_Args, 40, executable_name_size, 32);
TT_ABI(Executable_NumReplicas_Args, 32, num_replicas, 24);
TT_ABI(Executable_NumPartitions_Args, 32, num_partitions, 24);
TT_ABI(Executable_NumOutputs_Args, 32, num_outputs, 24);
TT_ABI(Executable_SizeOfGeneratedCodeInBytes_Args, 32, size_in_bytes, 24);
TT_ABI(Executable_Fingerprint_Args, 40, executable_fingerprint_size, 32);
TT_ABI(Executable_GetCompiledMemoryStats_Args, 120, total_size_in_bytes, 112);
TT_ABI(Executable_OutputElementTypes_Args, 40, num_output_types, 32);
TT_ABI(Executable_OutputDimensions_Args, 48, dim_sizes, 40);
TT_ABI(Executable_OutputMemoryKinds_Args, 48, memory_kind_sizes, 40);
TT_ABI(Executable_OptimizedProgram_Args, 32, program, 24);
TT_ABI(Executable_Serialize_Args, 56, serialized_executable, 40);
TT_ABI(Executable_GetCompileOptions_Args, 56, serialized_compile_options, 40);
TT_ABI(Executable_DeserializeAndLoad_Args, 64,
       overridden_serialized_compile_options_size, 56);
TT_ABI(LoadedExecutable_Destroy_Args, 24, executable, 16);
TT_ABI(LoadedExecutable_GetExecutable_Args, 32, executable, 24);
TT_ABI(LoadedExecutable_AddressableDevices_Args, 40, num_addressable_devices,
       32);
TT_ABI(LoadedExecutable_GetDeviceAssignment_Args, 56,
       serialized_device_assignment, 40);
TT_ABI(LoadedExecutable_Delete_Args, 24, executable, 16);
TT_ABI(LoadedExecutable_IsDeleted_Args, 32, is_deleted, 24);
TT_ABI(LoadedExecutable_Fingerprint_Args, 40, executable_fingerprint_size, 32);
TT_ABI(ExecuteOptions, 112, incarnation_ids, 104);
TT_ABI(LoadedExecutable_Execute_Args, 80, execute_device, 72);
TT_ABI(Buffer_Destroy_Args, 24, buffer, 16);
TT_ABI(Buffer_ElementType_Args, 32, type, 24);
TT_ABI(Buffer_Dimensions_Args, 40, num_dims, 32);
TT_ABI(Buffer_UnpaddedDimensions_Args, 40, num_dims, 32);
TT_ABI(Buffer_DynamicDimensionIndices_Args, 40, num_dynamic_dims, 32);
TT_ABI(Buffer_GetMemoryLayout_Args, 104, layout, 24);
TT_ABI(Buffer_ToHostBuffer_Args, 56, event, 48);
TT_ABI(Buffer_OnDeviceSizeInBytes_Args, 32, on_device_size_in_bytes, 24);
TT_ABI(Buffer_Device_Args, 32, device, 24);
TT_ABI(Buffer_Memory_Args, 32, memory, 24);
TT_ABI(Buffer_Delete_Args, 24, buffer, 16);
TT_ABI(Buffer_IsDeleted_Args, 32, is_deleted, 24);
TT_ABI(Buffer_CopyToDevice_Args, 40, dst_buffer, 32);
TT_ABI(Buffer_CopyToMemory_Args, 40, dst_buffer, 32);
TT_ABI(Buffer_IsOnCpu_Args, 32, is_on_cpu, 24);
TT_ABI(Buffer_ReadyEvent_Args, 32, event, 24);
#undef TT_ABI

} // namespace abi
} // namespace tt::pjrt

#endif // TT_PJRT_ABI_H
