//===- WindowRules.cpp - convolutions, pools, enlargement -----------------===//

#include "conversion/TodayToTTIR/Call.h"
#include "conversion/TodayToTTIR/Rules.h"

#include "dialects/TTIR/TTIR.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::today;
using graph::shapeOf;
using graph::Tensor;
using graph::typeOf;

/// The numbers of a window for `count` axes; empty, refused, if they are not
/// one or one for each.
static SmallVector<int64_t> perAxis(Call &call, StringRef name, size_t count) {
  SmallVector<int64_t> given = call.integers(name);
  if (given.size() == 1)
    return SmallVector<int64_t>(count, given.front());
  if (given.size() == count)
    return given;
  (void)call.refuse(llvm::formatv("{0}: expected 1 or {1} numbers, found {2}",
                                  name, count, given.size())
                        .str());
  return {};
}

/// Top, left, bottom and right, or of one axis left and right.
static SmallVector<int64_t> paddings(Call &call, size_t axes) {
  SmallVector<int64_t> given = call.integers("padding");
  if (given.size() == 2 * axes)
    return given;
  SmallVector<int64_t> sides = perAxis(call, "padding", axes);
  SmallVector<int64_t> both(sides);
  both.append(sides);
  return both;
}

/// The dimensions of the input in the order of the op: batch, extents,
/// channels. Empty, refused, if they are not each dimension once.
static SmallVector<int64_t> layoutOf(Call &call, ArrayRef<StringRef> names) {
  int64_t rank = names.size();
  SmallVector<int64_t> order;
  if (typeOf(call.in("input")).getRank() != rank) {
    (void)call.refuse(llvm::formatv("expected an input of rank {0}, found {1}",
                                    rank, typeOf(call.in("input")).getRank())
                          .str());
    return {};
  }
  for (StringRef name : names) {
    int64_t dim = call.integer(name);
    dim = dim < 0 ? dim + rank : dim;
    if (dim < 0 || dim >= rank || llvm::is_contained(order, dim)) {
      (void)call.refuse("expected positions of dimensions that are each one of "
                        "its input's, once");
      return {};
    }
    order.push_back(dim);
  }
  return order;
}

static SmallVector<int64_t> permuted(ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> order) {
  SmallVector<int64_t> moved;
  for (int64_t dim : order)
    moved.push_back(shape[dim]);
  return moved;
}

static SmallVector<int64_t> inverse(ArrayRef<int64_t> order) {
  SmallVector<int64_t> back(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    back[from] = to;
  return back;
}

/// The extents that an input flattened to (1, 1, N*H*W, C) had.
static std::optional<SmallVector<int64_t>> flattenedShape(Call &call) {
  StringRef text = call.text("flattened_compat_info");
  SmallVector<int64_t> shape;
  for (StringRef name : {"batch_size", "input_height", "input_width"}) {
    StringRef rest = text.substr(std::min(text.find(name), text.size()));
    rest = rest.drop_front(std::min(rest.size(), name.size())).ltrim();
    int64_t extent = 0;
    if (!rest.consume_front("=") ||
        rest.ltrim().take_while(llvm::isDigit).getAsInteger(10, extent) ||
        extent <= 0) {
      (void)call.refuse("flattened_compat_info: expected batch_size, "
                        "input_height and input_width");
      return std::nullopt;
    }
    shape.push_back(extent);
  }
  ArrayRef<int64_t> flat = shapeOf(call.in("input"));
  if (flat.empty()) {
    (void)call.refuse("expected an input of rank 4");
    return std::nullopt;
  }
  shape.push_back(flat.back());
  return shape;
}

static NamedAttribute si32(Call &call, StringRef name, int64_t value) {
  return call.builder.si32(name, value);
}

/// Calls the op `target` on an input (N, H, W, C) with a result like it, whose
/// channels come last. `order` says where these dimensions are in the program;
/// positions may be flattened.
static LogicalResult
callOnImages(Call &call, ArrayRef<int64_t> order, StringRef target,
             function_ref<FailureOr<int64_t>(ArrayRef<int64_t>, int)> extentOf,
             ArrayRef<NamedAttribute> attributes) {
  RankedTensorType type = call.types.front();
  if (type.getRank() != static_cast<int64_t>(order.size()))
    return call.refuse("expected a result of its input's rank");
  Tensor input = call.in("input");
  Value images = input;
  SmallVector<int64_t> shape;
  if (call.attribute("flattened_compat_info")) {
    auto whole = flattenedShape(call);
    if (!whole || !(images = call.reshape(input, *whole)))
      return failure();
    shape = {whole->front()};
    for (int axis = 0; axis < 2; ++axis) {
      FailureOr<int64_t> extent = extentOf(*whole, axis);
      if (failed(extent))
        return failure();
      shape.push_back(*extent);
    }
    shape.push_back(type.getShape().back());
  } else {
    images = call.builder.permute(input, order);
    shape = permuted(type.getShape(), order);
  }
  call.operands[0].front() = images;
  call.types.front() = RankedTensorType::get(shape, type.getElementType());
  LogicalResult done = call.carry(attributes, target);
  call.types.front() = type;
  if (failed(done))
    return failure();
  Value made = call.results.front();
  if (call.attribute("flattened_compat_info"))
    made = call.reshape(made, type.getShape());
  else
    made = call.builder.permute(made, inverse(order));
  return made ? call.give(made) : failure();
}

/// The bias (1, 1, 1, O), however many dimensions of extent 1 it has.
static LogicalResult shapeBias(Call &call, size_t rank) {
  if (!call.has("bias"))
    return success();
  Tensor bias = call.in("bias");
  SmallVector<int64_t> shape(rank, 1);
  shape.back() = typeOf(bias).getNumElements();
  if (llvm::count_if(shapeOf(bias), [](int64_t e) { return e != 1; }) > 1)
    return call.refuse("expected a bias with one number for each channel");
  call.operands[2].front() = call.reshape(bias, shape);
  return success();
}

/// The extent of a result along an axis of (N, H, W, C).
static FailureOr<int64_t> windowExtent(Call &call, int64_t extent,
                                       int64_t kernel, int64_t stride,
                                       int64_t dilation, int64_t padding,
                                       bool up) {
  if (stride <= 0 || kernel <= 0 || dilation <= 0)
    return call.refuse("expected strides, dilations and a kernel that are "
                       "positive");
  int64_t room = extent + padding - dilation * (kernel - 1) - 1;
  if (room < 0)
    return call.refuse("its window is greater than its input");
  return (up ? (room + stride - 1) / stride : room / stride) + 1;
}

LogicalResult rules::pool2d(Call &call) {
  SmallVector<int64_t> kernel = perAxis(call, "kernel", 2),
                       stride = perAxis(call, "stride", 2),
                       dilation = perAxis(call, "dilation", 2),
                       padding = paddings(call, 2);
  if (kernel.empty() || stride.empty() || dilation.empty() || padding.empty())
    return failure();
  Builder builder(call.import.getContext());
  bool up = call.flag("ceil_mode");
  SmallVector<NamedAttribute> attributes = {
      si32(call, "kernel_height", kernel[0]),
      si32(call, "kernel_width", kernel[1]),
      si32(call, "stride_height", stride[0]),
      si32(call, "stride_width", stride[1]),
      si32(call, "dilation_height", dilation[0]),
      si32(call, "dilation_width", dilation[1]),
      si32(call, "padding_top", padding[0]),
      si32(call, "padding_left", padding[1]),
      si32(call, "padding_bottom", padding[2]),
      si32(call, "padding_right", padding[3]),
      builder.getNamedAttr("ceil_mode", builder.getBoolAttr(up))};
  if (call.row.name == "avg_pool2d")
    attributes.push_back(builder.getNamedAttr(
        "count_include_pad",
        builder.getBoolAttr(call.flag("count_include_pad"))));
  auto extentOf = [&](ArrayRef<int64_t> input, int axis) {
    return windowExtent(call, input[axis + 1], kernel[axis], stride[axis],
                        dilation[axis], padding[axis] + padding[axis + 2], up);
  };
  if (typeOf(call.in("input")).getRank() != 4)
    return call.refuse("expected an input of rank 4");
  return callOnImages(call, {0, 1, 2, 3}, call.row.name, extentOf, attributes);
}

LogicalResult rules::conv2d(Call &call) {
  SmallVector<int64_t> order =
      layoutOf(call, {"batch_dim", "height_dim", "width_dim", "channel_dim"});
  SmallVector<int64_t> stride = perAxis(call, "stride", 2),
                       dilation = perAxis(call, "dilation", 2),
                       padding = paddings(call, 2);
  if (order.empty() || stride.empty() || dilation.empty() || padding.empty() ||
      failed(shapeBias(call, 4)))
    return failure();
  Tensor weight = call.in("weight");
  if (typeOf(weight).getRank() != 4)
    return call.refuse("expected a weight of rank 4");
  auto extentOf = [&](ArrayRef<int64_t> input, int axis) {
    return windowExtent(call, input[axis + 1], shapeOf(weight)[axis + 2],
                        stride[axis], dilation[axis],
                        padding[axis] + padding[axis + 2], false);
  };
  return callOnImages(call, order, "conv2d", extentOf,
                      {si32(call, "stride_height", stride[0]),
                       si32(call, "stride_width", stride[1]),
                       si32(call, "dilation_height", dilation[0]),
                       si32(call, "dilation_width", dilation[1]),
                       si32(call, "padding_top", padding[0]),
                       si32(call, "padding_left", padding[1]),
                       si32(call, "padding_bottom", padding[2]),
                       si32(call, "padding_right", padding[3]),
                       si32(call, "groups", call.integer("groups"))});
}

LogicalResult rules::convTranspose2d(Call &call) {
  SmallVector<int64_t> order =
      layoutOf(call, {"batch_dim", "height_dim", "width_dim", "channel_dim"});
  SmallVector<int64_t> stride = perAxis(call, "stride", 2),
                       dilation = perAxis(call, "dilation", 2),
                       more = perAxis(call, "output_padding", 2),
                       padding = paddings(call, 2);
  if (order.empty() || stride.empty() || dilation.empty() || more.empty() ||
      padding.empty() || failed(shapeBias(call, 4)))
    return failure();
  Tensor weight = call.in("weight");
  if (typeOf(weight).getRank() != 4)
    return call.refuse("expected a weight of rank 4");
  Builder builder(call.import.getContext());
  auto list = [&](StringRef name, ArrayRef<int64_t> values) {
    return builder.getNamedAttr(
        name, builder.getDenseI32ArrayAttr(
                  SmallVector<int32_t>(values.begin(), values.end())));
  };
  auto extentOf = [&](ArrayRef<int64_t> input, int axis) -> FailureOr<int64_t> {
    int64_t kernel = shapeOf(weight)[axis + 2];
    return (input[axis + 1] - 1) * stride[axis] - padding[axis] -
           padding[axis + 2] + dilation[axis] * (kernel - 1) + 1 + more[axis];
  };
  return callOnImages(
      call, order, "conv_transpose2d", extentOf,
      {list("stride", stride), list("padding", padding),
       list("output_padding", more), list("dilation", dilation),
       builder.getNamedAttr(
           "groups", builder.getI32IntegerAttr(call.integer("groups")))});
}

LogicalResult rules::conv3d(Call &call) {
  SmallVector<int64_t> stride = perAxis(call, "stride", 3),
                       padding = call.integers("padding");
  if (stride.empty())
    return failure();
  if (padding.size() == 1)
    padding.assign(3, padding.front());
  Builder builder(call.import.getContext());
  auto list = [&](StringRef name, ArrayRef<int64_t> values) {
    return builder.getNamedAttr(
        name, builder.getDenseI32ArrayAttr(
                  SmallVector<int32_t>(values.begin(), values.end())));
  };
  SmallVector<NamedAttribute> attributes = {list("stride", stride),
                                            list("padding", padding)};
  for (StringRef name : {"groups", "batch_dim", "depth_dim", "height_dim",
                         "width_dim", "channel_dim", "padding_mode"})
    attributes.push_back(builder.getNamedAttr(name, call.attribute(name)));
  return call.carry(attributes);
}

LogicalResult rules::maxPool2dWithIndices(Call &call) {
  SmallVector<NamedAttribute> attributes;
  Builder builder(call.import.getContext());
  auto add = [&](StringRef name, ArrayRef<int64_t> values) {
    attributes.push_back(builder.getNamedAttr(
        name, builder.getDenseI32ArrayAttr(
                  SmallVector<int32_t>(values.begin(), values.end()))));
    return !values.empty();
  };
  if (call.attribute("flattened_compat_info"))
    return call.refuse("flattened_compat_info: expected none");
  if (!add("kernel", perAxis(call, "kernel", 2)) ||
      !add("stride", perAxis(call, "stride", 2)) ||
      !add("dilation", perAxis(call, "dilation", 2)) ||
      !add("padding", paddings(call, 2)))
    return failure();
  attributes.push_back(
      builder.getNamedAttr("ceil_mode", call.attribute("ceil_mode")));
  return call.carry(attributes);
}

LogicalResult rules::upsample2d(Call &call) {
  SmallVector<int64_t> factors = perAxis(call, "scale_factor", 2);
  if (factors.empty())
    return failure();
  Builder builder(call.import.getContext());
  return call.carry(
      {builder.getNamedAttr("scale_factor",
                            builder.getDenseI32ArrayAttr(SmallVector<int32_t>(
                                factors.begin(), factors.end()))),
       builder.getNamedAttr("mode", call.attribute("mode"))},
      "upsample");
}
