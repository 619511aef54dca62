// Makes every attribute and type through the C API and compares how they print.
#include "ttmlir-c/Dialects.h"
#include "ttmlir-c/TTAttrs.h"
#include "ttmlir-c/TTKernelAttrs.h"
#include "ttmlir-c/TTKernelTypes.h"
#include "ttmlir-c/TTMetalAttrs.h"
#include "ttmlir-c/TTNNAttrs.h"
#include "ttmlir-c/TTTypes.h"
#include "ttmlir-c/Translation.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"

#include <stdio.h>
#include <string.h>

#define TEXT_SIZE 8192

typedef struct Text {
  char data[TEXT_SIZE];
  size_t size;
} Text;

static int failures = 0;

static void append(MlirStringRef part, void *text) {
  Text *out = (Text *)text;
  for (size_t i = 0; i < part.length && out->size + 1 < TEXT_SIZE; ++i)
    out->data[out->size++] = part.data[i];
  out->data[out->size] = '\0';
}

static void expectText(const char *found, const char *expected) {
  if (strcmp(found, expected) == 0)
    return;
  printf("expected: %s\nfound:    %s\n", expected, found);
  ++failures;
}

static void expectAttr(MlirAttribute attr, const char *expected) {
  Text text = {.size = 0};
  if (attr.ptr)
    mlirAttributePrint(attr, append, &text);
  expectText(text.data, expected);
}

static void expectType(MlirType type, const char *expected) {
  Text text = {.size = 0};
  if (type.ptr)
    mlirTypePrint(type, append, &text);
  expectText(text.data, expected);
}

static void expectTrue(bool condition, const char *what) {
  if (condition)
    return;
  printf("expected: %s\n", what);
  ++failures;
}

static MlirLogicalResult keep(MlirDiagnostic diagnostic, void *text) {
  mlirDiagnosticPrint(diagnostic, append, text);
  return mlirLogicalResultSuccess();
}

static void testEnumerators(MlirContext context) {
  expectAttr(ttmlirTTArchAttrGet(context, 1), "#tt.arch<wormhole_b0>");
  expectAttr(ttmlirTTDataTypeAttrGet(context, 4),
             "#tt.supportedDataTypes<bfp_bf8>");
  expectAttr(ttmlirTTMemorySpaceAttrGet(context, 3), "#tt.memory_space<l1>");
  expectAttr(ttmlirTTTensorMemoryLayoutAttrGet(context, 5),
             "#tt.tensor_memory_layout<block_sharded>");
  expectAttr(ttmlirTTIteratorTypeAttrGet(context, 1),
             "#tt.iterator_type<systolic>");
  expectAttr(ttmlirTTOOBValAttrGet(context, 4), "#tt.oob_val<neginf>");
  expectAttr(ttmlirTTBufferAccessAttrGet(context, 1),
             "#tt<buffer_access alias>");
  expectAttr(ttmlirTTOperandConstraintAttrGet(context, 3),
             "#tt.operand_constraint<system|dram>");
  expectAttr(ttmlirTTChipCapabilityAttrGet(context, 3), "3 : i32");
  const uint32_t values[] = {0, 1};
  expectAttr(ttmlirTTIteratorTypeArrayAttrGet(context, values, 2),
             "[#tt.iterator_type<parallel>, #tt.iterator_type<systolic>]");
  const uint32_t constraints[] = {2, 4};
  expectAttr(ttmlirTTOperandConstraintArrayAttrGet(context, constraints, 2),
             "[#tt.operand_constraint<dram>, #tt.operand_constraint<l1>]");
  expectAttr(ttmlirTTNNLayoutAttrGet(context, 1), "#ttnn.layout<tile>");
  expectAttr(ttmlirTTNNTensorMemoryLayoutAttrGet(context, 0),
             "#ttnn.tensor_memory_layout<interleaved>");
  expectAttr(ttmlirTTNNBufferTypeAttrGet(context, 0),
             "#ttnn.buffer_type<dram>");
}

static void testTensors(MlirContext context) {
  const int64_t ones[] = {1, 1}, extents[] = {64, 128}, two[] = {2, 4};
  MlirAffineMap empty = {NULL};
  MlirAttribute one = ttmlirTTGridAttrGet(context, ones, 2, empty);
  expectAttr(one, "#tt.grid<1x1>");

  MlirType f32 = mlirF32TypeGet(context), none = {NULL};
  MlirAttribute l1 = ttmlirTTMemorySpaceAttrGet(context, 3);
  MlirAttribute noLayout = {NULL};
  MlirType memref = mlirMemRefTypeGet(f32, 2, extents, noLayout, l1);
  MlirAttribute layout = ttmlirTTLayoutAttrGet(
      context, mlirAffineMapMultiDimIdentityGet(context, 2), 0, one, memref, 0);
  const char *text = "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
                     "memref<64x128xf32, #tt.memory_space<l1>>>";
  expectAttr(layout, text);
  MlirType tensor =
      mlirRankedTensorTypeGet(2, extents, f32, mlirAttributeGetNull());
  const int64_t interval[] = {0, -1};
  expectAttr(ttmlirTTLayoutAttrGetForTensor(context, tensor, none, 3, one,
                                            interval, 1, 0, 0),
             text);
  MlirAttribute grid = ttmlirTTGridAttrGet(context, two, 2, empty);
  expectAttr(ttmlirTTLayoutAttrWithGrid(layout, extents, 2, grid, interval, 1),
             "#tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, "
             "#tt.memory_space<l1>>>");
  int64_t stride[2];
  expectTrue(ttmlirTTLayoutAttrGetStride(layout, extents, 2, stride) &&
                 stride[0] == 128 && stride[1] == 1,
             "strides 128 and 1");

  MlirType tile = ttmlirTTTileTypeGet(context, 32, 32, 2);
  expectType(tile, "!tt.tile<32x32, bf16>");
  expectTrue(ttmlirTTTileTypeGetSizeBytes(tile) == 2048, "2048 bytes a tile");
  expectAttr(ttmlirTTLayoutAttrWithElementType(layout, tile),
             "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
             "memref<2x4x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>>");
  expectAttr(ttmlirTTBufferAttrGet(context, memref, 1),
             "#tt.buffer<memref<64x128xf32, #tt.memory_space<l1>>, alias>");
  expectAttr(ttmlirTTArgumentAllocationAttrGet(context, 1024, 32768, 3),
             "#tt.arg_alloc<1024, 32768, l1>");
  expectAttr(ttmlirTTNNMemoryConfigAttrGet(context, 0, 1),
             "#ttnn.memory_config<<interleaved>, <l1>>");
  expectAttr(ttmlirTTNNShapeAttrGet(context, extents, 2),
             "#ttnn.shape<64x128>");
  expectAttr(ttmlirTTNNMeshShapeAttrGet(context, 1, 2),
             "#ttnn<mesh_shape 1x2>");
  expectAttr(ttmlirTTNNCoreRangeAttrGet(context, ones, 2, two, 2),
             "#ttnn.core_range<1x1, 2x4>");
}

static void testMachine(MlirContext context) {
  expectAttr(ttmlirTTCoreCoordAttrGet(context, 0, 1), "#tt<core_coord 0x1>");
  expectAttr(ttmlirTTTileSizeAttrGet(context, 32, 16), "#tt<tile_size 32x16>");
  expectAttr(ttmlirTTChipCoordAttrGet(context, 0, 1, 2, 3),
             "#tt<chip_coord 0x1x2x3>");
  const int64_t ends[] = {8, 0};
  expectAttr(ttmlirTTChipChannelAttrGet(context, 0, ends, 2, 1, ends, 2),
             "#tt.chip_channel<[0, 8, 0], [1, 8, 0]>");

  MlirAttribute system = ttmlirTTSystemDescAttrGetDefault(context);
  const MlirAttribute *chips = NULL, *coords = NULL, *capabilities = NULL;
  const unsigned *indices = NULL;
  size_t numChips = ttmlirTTSystemDescAttrGetChipDescs(system, &chips);
  ttmlirTTSystemDescAttrGetChipCoords(system, &coords);
  ttmlirTTSystemDescAttrGetChipCapabilities(system, &capabilities);
  ttmlirTTSystemDescAttrGetChipDescIndices(system, &indices);
  expectTrue(numChips == 1, "one chip in the default system");
  MlirAttribute again =
      ttmlirTTSystemDescAttrGet(context, chips, numChips, indices, 1,
                                capabilities, 1, coords, 1, NULL, 0);
  expectTrue(mlirAttributeEqual(system, again), "the same system");

  MlirAttribute device = ttmlirTTDeviceAttrGetFromSystemDesc(system, NULL, 0);
  MlirType handle = ttmlirTTDeviceTypeGet(context, device);
  expectTrue(ttmlirTypeIsATTDevice(handle) &&
                 mlirAttributeEqual(ttmlirTTDeviceTypeGetDesc(handle), device),
             "a device type of the device");
}

static void testKernels(MlirContext context) {
  const int64_t extents[] = {2, 4}, origin[] = {0, 1};
  MlirAttribute noLayout = {NULL};
  MlirType tiles =
      mlirMemRefTypeGet(ttmlirTTTileTypeGet(context, 32, 32, 0), 2, extents,
                        noLayout, ttmlirTTMemorySpaceAttrGet(context, 3));
  MlirType buffer = ttmlirTTKernelCBTypeGet(context, 66560, 16, tiles);
  expectType(buffer, "!ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, "
                     "f32>, #tt.memory_space<l1>>, 4096, 1>");
  expectTrue(ttmlirTTKernelCBTypeGetPageSize(buffer) == 4096,
             "pages of 4096 bytes");
  expectType(ttmlirTTKernelCBTypeGetWithPages(context, 1024, 0, tiles, 2048, 2),
             "!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, "
             "#tt.memory_space<l1>>, 2048, 2>");
  expectType(ttmlirTTKernelNocAddrTypeGet(context), "!ttkernel.noc_addr");
  expectAttr(ttmlirTTKernelThreadTypeAttrGet(context, 1),
             "#ttkernel.thread<tensix>");
  expectAttr(ttmlirTTKernelNocConfigAttrGet(context, 1),
             "#ttkernel.noc_config<noc1>");
  expectAttr(ttmlirTTKernelTensixConfigAttrGet(context, 2, true, false, true),
             "#ttkernel.tensix_config<hifi2, true, false, true>");
  expectAttr(ttmlirTTKernelEthernetConfigAttrGet(context, 1, 0),
             "#ttkernel.ethernet_config<receiver, noc0>");
  expectAttr(ttmlirTTMetalCoreRangeAttrGet(context, origin, 2, extents, 2),
             "#ttmetal.core_range<0x1, 2x4>");
}

static void testErrors(MlirContext context) {
  Text text = {.size = 0};
  MlirDiagnosticHandlerID id =
      mlirContextAttachDiagnosticHandler(context, keep, &text, NULL);
  expectTrue(!ttmlirTTDataTypeAttrGet(context, 99).ptr, "no attribute for 99");
  expectText(text.data, "unknown DataType 99");
  expectTrue(!ttmlirTTTileTypeGet(context, 16, 16, 4).ptr,
             "no 16x16 tile of bfp_bf8");
  mlirContextDetachDiagnosticHandler(context, id);
}

static void count(MlirStringRef bytes, void *size) {
  *(size_t *)size = bytes.length;
}

static void testTranslation(MlirContext context) {
  const char *source = "func.func @f(%a: tensor<1x2xf32>) -> tensor<1x2xf32> {"
                       " return %a : tensor<1x2xf32> }";
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  MlirPassManager manager = mlirPassManagerCreate(context);
  Text problem = {.size = 0};
  mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString("ttir-to-ttnn-backend-pipeline"), append,
      &problem);
  expectText(problem.data, "");
  MlirOperation op = mlirModuleGetOperation(module);
  expectTrue(mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, op)),
             "the pipeline to succeed");
  mlirPassManagerDestroy(manager);

  const int64_t shape[] = {1, 2};
  const float values[] = {1, 2};
  TTMLIRGolden golden = {
      mlirStringRefCreateFromCString("f"),
      mlirStringRefCreateFromCString("output_0"),
      shape,
      2,
      0,
      mlirStringRefCreate((const char *)values, sizeof(values))};
  TTMLIRRemarkArg reason = {mlirStringRefCreateFromCString("Reason"),
                            mlirStringRefCreateFromCString("a reason")};
  TTMLIRRemark remark = {mlirStringRefCreateFromCString("Passed"),
                         mlirStringRefCreateFromCString("ttir-layout"),
                         mlirStringRefCreateFromCString("Converted"),
                         mlirStringRefCreateFromCString("f"),
                         mlirStringRefCreateFromCString("f.mlir:1:1"),
                         mlirStringRefCreateFromCString(""),
                         &reason,
                         1};
  TTMLIRRemarkList remarks = ttmlirRemarkListCreate(false);
  ttmlirRemarkListAdd(remarks, &remark);
  expectTrue(ttmlirRemarkListGetSize(remarks) == 1, "one remark");
  TTMLIRAttachments attachments = {&golden, 1, remarks};
  size_t without = 0, with = 0;
  ttmlirTTNNToFlatbuffer(op, NULL, count, &without);
  ttmlirTTNNToFlatbuffer(op, &attachments, count, &with);
  expectTrue(without > 0 && with > without + sizeof(values),
             "a flatbuffer, and a greater one with a golden and a remark");
  ttmlirSharedBufferDestroy(ttmlirTTNNToSharedBuffer(op, &attachments));

  Text text = {.size = 0};
  MlirDiagnosticHandlerID id =
      mlirContextAttachDiagnosticHandler(context, keep, &text, NULL);
  golden.rank = 1;
  expectTrue(mlirLogicalResultIsFailure(
                 ttmlirTTNNToFlatbuffer(op, &attachments, count, &with)),
             "an error for a golden of another rank");
  expectText(text.data, "golden 'output_0': expected shape [1, 2], found [1]");
  mlirContextDetachDiagnosticHandler(context, id);
  ttmlirRemarkListDestroy(remarks);
  mlirModuleDestroy(module);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  ttmlirRegisterAllDialects(registry);
  ttmlirRegisterAllPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  testEnumerators(context);
  testTensors(context);
  testMachine(context);
  testKernels(context);
  testErrors(context);
  testTranslation(context);
  mlirContextDestroy(context);
  printf("%d failures\n", failures);
  return failures ? 1 : 0;
}
