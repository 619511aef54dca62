#include "numerics/schema.h"

namespace tt::runtime::numerics {
namespace {
using Schema = ::tt::target::DataType;

static_assert(fromSchema(Schema::Float32) == DType::F32);
static_assert(fromSchema(Schema::Float16) == DType::F16);
static_assert(fromSchema(Schema::BFloat16) == DType::BF16);
static_assert(fromSchema(Schema::BFP_Float8) == DType::BfpF8);
static_assert(fromSchema(Schema::BFP_BFloat8) == DType::BfpB8);
static_assert(fromSchema(Schema::BFP_Float4) == DType::BfpF4);
static_assert(fromSchema(Schema::BFP_BFloat4) == DType::BfpB4);
static_assert(fromSchema(Schema::BFP_Float2) == DType::BfpF2);
static_assert(fromSchema(Schema::BFP_BFloat2) == DType::BfpB2);
static_assert(fromSchema(Schema::UInt32) == DType::U32);
static_assert(fromSchema(Schema::UInt16) == DType::U16);
static_assert(fromSchema(Schema::UInt8) == DType::U8);
static_assert(fromSchema(Schema::Int32) == DType::I32);
static_assert(Schema::MAX == Schema::Int32);
} // namespace
} // namespace tt::runtime::numerics
