// The functions of the PJRT C API in the order of its table, of which the
// position of a function is part of the interface. See abi.h.
#ifndef TT_PJRT_FUNCTIONS_H
#define TT_PJRT_FUNCTIONS_H

#include <cstddef>

namespace tt::pjrt::abi {

/// The functions in the order of the table.
#define TT_PJRT_FUNCTIONS(F)                                                   \
  F(Error_Destroy)                                                             \
  F(Error_Message)                                                             \
  F(Error_GetCode)                                                             \
  F(Plugin_Initialize)                                                         \
  F(Plugin_Attributes)                                                         \
  F(Event_Destroy)                                                             \
  F(Event_IsReady)                                                             \
  F(Event_Error)                                                               \
  F(Event_Await)                                                               \
  F(Event_OnReady)                                                             \
  F(Client_Create)                                                             \
  F(Client_Destroy)                                                            \
  F(Client_PlatformName)                                                       \
  F(Client_ProcessIndex)                                                       \
  F(Client_PlatformVersion)                                                    \
  F(Client_Devices)                                                            \
  F(Client_AddressableDevices)                                                 \
  F(Client_LookupDevice)                                                       \
  F(Client_LookupAddressableDevice)                                            \
  F(Client_AddressableMemories)                                                \
  F(Client_Compile)                                                            \
  F(Client_DefaultDeviceAssignment)                                            \
  F(Client_BufferFromHostBuffer)                                               \
  F(DeviceDescription_Id)                                                      \
  F(DeviceDescription_ProcessIndex)                                            \
  F(DeviceDescription_Attributes)                                              \
  F(DeviceDescription_Kind)                                                    \
  F(DeviceDescription_DebugString)                                             \
  F(DeviceDescription_ToString)                                                \
  F(Device_GetDescription)                                                     \
  F(Device_IsAddressable)                                                      \
  F(Device_LocalHardwareId)                                                    \
  F(Device_AddressableMemories)                                                \
  F(Device_DefaultMemory)                                                      \
  F(Device_MemoryStats)                                                        \
  F(Memory_Id)                                                                 \
  F(Memory_Kind)                                                               \
  F(Memory_DebugString)                                                        \
  F(Memory_ToString)                                                           \
  F(Memory_AddressableByDevices)                                               \
  F(Executable_Destroy)                                                        \
  F(Executable_Name)                                                           \
  F(Executable_NumReplicas)                                                    \
  F(Executable_NumPartitions)                                                  \
  F(Executable_NumOutputs)                                                     \
  F(Executable_SizeOfGeneratedCodeInBytes)                                     \
  F(Executable_GetCostAnalysis)                                                \
  F(Executable_OutputMemoryKinds)                                              \
  F(Executable_OptimizedProgram)                                               \
  F(Executable_Serialize)                                                      \
  F(LoadedExecutable_Destroy)                                                  \
  F(LoadedExecutable_GetExecutable)                                            \
  F(LoadedExecutable_AddressableDevices)                                       \
  F(LoadedExecutable_Delete)                                                   \
  F(LoadedExecutable_IsDeleted)                                                \
  F(LoadedExecutable_Execute)                                                  \
  F(Executable_DeserializeAndLoad)                                             \
  F(LoadedExecutable_Fingerprint)                                              \
  F(Buffer_Destroy)                                                            \
  F(Buffer_ElementType)                                                        \
  F(Buffer_Dimensions)                                                         \
  F(Buffer_UnpaddedDimensions)                                                 \
  F(Buffer_DynamicDimensionIndices)                                            \
  F(Buffer_GetMemoryLayout)                                                    \
  F(Buffer_OnDeviceSizeInBytes)                                                \
  F(Buffer_Device)                                                             \
  F(Buffer_Memory)                                                             \
  F(Buffer_Delete)                                                             \
  F(Buffer_IsDeleted)                                                          \
  F(Buffer_CopyToDevice)                                                       \
  F(Buffer_ToHostBuffer)                                                       \
  F(Buffer_IsOnCpu)                                                            \
  F(Buffer_ReadyEvent)                                                         \
  F(Buffer_UnsafePointer)                                                      \
  F(Buffer_IncreaseExternalReferenceCount)                                     \
  F(Buffer_DecreaseExternalReferenceCount)                                     \
  F(Buffer_OpaqueDeviceMemoryDataPointer)                                      \
  F(CopyToDeviceStream_Destroy)                                                \
  F(CopyToDeviceStream_AddChunk)                                               \
  F(CopyToDeviceStream_TotalBytes)                                             \
  F(CopyToDeviceStream_GranuleSize)                                            \
  F(CopyToDeviceStream_CurrentBytes)                                           \
  F(TopologyDescription_Create)                                                \
  F(TopologyDescription_Destroy)                                               \
  F(TopologyDescription_PlatformName)                                          \
  F(TopologyDescription_PlatformVersion)                                       \
  F(TopologyDescription_GetDeviceDescriptions)                                 \
  F(TopologyDescription_Serialize)                                             \
  F(TopologyDescription_Attributes)                                            \
  F(Compile)                                                                   \
  F(Executable_OutputElementTypes)                                             \
  F(Executable_OutputDimensions)                                               \
  F(Buffer_CopyToMemory)                                                       \
  F(Client_CreateViewOfDeviceBuffer)                                           \
  F(Executable_Fingerprint)                                                    \
  F(Client_TopologyDescription)                                                \
  F(Executable_GetCompiledMemoryStats)                                         \
  F(Memory_Kind_Id)                                                            \
  F(ExecuteContext_Create)                                                     \
  F(ExecuteContext_Destroy)                                                    \
  F(Buffer_CopyRawToHost)                                                      \
  F(AsyncHostToDeviceTransferManager_Destroy)                                  \
  F(AsyncHostToDeviceTransferManager_TransferData)                             \
  F(Client_CreateBuffersForAsyncHostToDevice)                                  \
  F(AsyncHostToDeviceTransferManager_RetrieveBuffer)                           \
  F(AsyncHostToDeviceTransferManager_Device)                                   \
  F(AsyncHostToDeviceTransferManager_BufferCount)                              \
  F(AsyncHostToDeviceTransferManager_BufferSize)                               \
  F(AsyncHostToDeviceTransferManager_SetBufferError)                           \
  F(AsyncHostToDeviceTransferManager_AddMetadata)                              \
  F(Client_DmaMap)                                                             \
  F(Client_DmaUnmap)                                                           \
  F(Client_CreateUninitializedBuffer)                                          \
  F(Client_UpdateGlobalProcessInfo)                                            \
  F(TopologyDescription_Deserialize)                                           \
  F(Client_CreateAliasBuffer)                                                  \
  F(Client_FulfillAliasBuffer)                                                 \
  F(LoadedExecutable_GetDeviceAssignment)                                      \
  F(Client_CreateErrorBuffer)                                                  \
  F(AsyncHostToDeviceTransferManager_TransferLiteral)                          \
  F(Buffer_CopyRawToHostFuture)                                                \
  F(Device_PoisonExecution)                                                    \
  F(Device_CreateAsyncTrackingEvent)                                           \
  F(AsyncTrackingEvent_Destroy)                                                \
  F(Executable_GetCompileOptions)                                              \
  F(Buffer_DonateWithControlDependency)                                        \
  F(Event_Create)                                                              \
  F(Event_Set)

enum class Function : std::size_t {
#define TT_VALUE(Name) Name,
  TT_PJRT_FUNCTIONS(TT_VALUE)
#undef TT_VALUE
      Count
};

} // namespace tt::pjrt::abi

#endif // TT_PJRT_FUNCTIONS_H
