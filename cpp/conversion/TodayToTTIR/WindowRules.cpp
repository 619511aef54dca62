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

static NamedAttribute i32Array(Call &call, StringRef name,
                               ArrayRef<int64_t> values) {
  return call.builder.attr(
      name, call.builder.getBuilder().getDenseI32ArrayAttr(
                SmallVector<int32_t>(values.begin(), values.end())));
}

namespace {

/// How a window goes over height and width.
struct Slide {
  explicit Slide(Call &call)
      : stride(perAxis(call, "stride", 2)),
        dilation(perAxis(call, "dilation", 2)), padding(paddings(call, 2)) {}

  /// Whether the program said it in numbers for two axes.
  explicit operator bool() const {
    return !stride.empty() && !dilation.empty() && !padding.empty();
  }

  /// A number each, as `conv2d` and the pools have them.
  SmallVector<NamedAttribute> attributes(Call &call) const {
    auto si32 = [&](StringRef name, int64_t value) {
      return call.builder.si32(name, value);
    };
    return {si32("stride_height", stride[0]),
            si32("stride_width", stride[1]),
            si32("dilation_height", dilation[0]),
            si32("dilation_width", dilation[1]),
            si32("padding_top", padding[0]),
            si32("padding_left", padding[1]),
            si32("padding_bottom", padding[2]),
            si32("padding_right", padding[3])};
  }

  /// Arrays, as `conv_transpose2d` and `max_pool2d_with_indices` have them.
  SmallVector<NamedAttribute> arrays(Call &call) const {
    return {i32Array(call, "stride", stride),
            i32Array(call, "dilation", dilation),
            i32Array(call, "padding", padding)};
  }

  SmallVector<int64_t> stride, dilation, padding;
};

} // namespace

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

/// The weight of a convolution over height and width; null, refused, if it has
/// another rank.
static Tensor weightOf(Call &call) {
  Tensor weight = call.in("weight");
  if (typeOf(weight).getRank() == 4)
    return weight;
  (void)call.refuse("expected a weight of rank 4");
  return nullptr;
}

/// The extent of a result along height (0) or width (1) of (N, H, W, C).
static FailureOr<int64_t> windowExtent(Call &call, ArrayRef<int64_t> input,
                                       int axis, int64_t kernel,
                                       const Slide &slide, bool up) {
  int64_t stride = slide.stride[axis], dilation = slide.dilation[axis];
  if (stride <= 0 || kernel <= 0 || dilation <= 0)
    return call.refuse("expected strides, dilations and a kernel that are "
                       "positive");
  int64_t room = input[axis + 1] + slide.padding[axis] +
                 slide.padding[axis + 2] - dilation * (kernel - 1) - 1;
  if (room < 0)
    return call.refuse("its window is greater than its input");
  return (up ? (room + stride - 1) / stride : room / stride) + 1;
}

LogicalResult rules::pool2d(Call &call) {
  SmallVector<int64_t> kernel = perAxis(call, "kernel", 2);
  Slide slide(call);
  if (kernel.empty() || !slide)
    return failure();
  Builder &builder = call.builder.getBuilder();
  bool up = call.flag("ceil_mode");
  SmallVector<NamedAttribute> attributes = slide.attributes(call);
  attributes.append({call.builder.si32("kernel_height", kernel[0]),
                     call.builder.si32("kernel_width", kernel[1]),
                     call.builder.attr("ceil_mode", builder.getBoolAttr(up))});
  if (call.row.name == "avg_pool2d")
    attributes.push_back(
        call.builder.attr("count_include_pad",
                          builder.getBoolAttr(call.flag("count_include_pad"))));
  auto extentOf = [&](ArrayRef<int64_t> input, int axis) {
    return windowExtent(call, input, axis, kernel[axis], slide, up);
  };
  if (typeOf(call.in("input")).getRank() != 4)
    return call.refuse("expected an input of rank 4");
  return callOnImages(call, {0, 1, 2, 3}, call.row.name, extentOf, attributes);
}

LogicalResult rules::conv2d(Call &call) {
  SmallVector<int64_t> order =
      layoutOf(call, {"batch_dim", "height_dim", "width_dim", "channel_dim"});
  Slide slide(call);
  if (order.empty() || !slide || failed(shapeBias(call, 4)))
    return failure();
  Tensor weight = weightOf(call);
  if (!weight)
    return failure();
  auto extentOf = [&](ArrayRef<int64_t> input, int axis) {
    return windowExtent(call, input, axis, shapeOf(weight)[axis + 2], slide,
                        false);
  };
  SmallVector<NamedAttribute> attributes = slide.attributes(call);
  attributes.push_back(call.builder.si32("groups", call.integer("groups")));
  return callOnImages(call, order, "conv2d", extentOf, attributes);
}

LogicalResult rules::convTranspose2d(Call &call) {
  SmallVector<int64_t> order =
      layoutOf(call, {"batch_dim", "height_dim", "width_dim", "channel_dim"});
  Slide slide(call);
  SmallVector<int64_t> more = perAxis(call, "output_padding", 2);
  if (order.empty() || !slide || more.empty() || failed(shapeBias(call, 4)))
    return failure();
  Tensor weight = weightOf(call);
  if (!weight)
    return failure();
  auto extentOf = [&](ArrayRef<int64_t> input, int axis) -> FailureOr<int64_t> {
    int64_t kernel = shapeOf(weight)[axis + 2];
    int64_t extent = (input[axis + 1] - 1) * slide.stride[axis] -
                     slide.padding[axis] - slide.padding[axis + 2] +
                     slide.dilation[axis] * (kernel - 1) + 1 + more[axis];
    if (extent <= 0)
      return call.refuse("its paddings leave nothing of its result");
    return extent;
  };
  SmallVector<NamedAttribute> attributes = slide.arrays(call);
  attributes.append(
      {i32Array(call, "output_padding", more),
       call.builder.attr("groups", call.builder.getBuilder().getI32IntegerAttr(
                                       call.integer("groups")))});
  return callOnImages(call, order, "conv_transpose2d", extentOf, attributes);
}

LogicalResult rules::conv3d(Call &call) {
  SmallVector<int64_t> stride = perAxis(call, "stride", 3),
                       padding = call.integers("padding");
  if (stride.empty())
    return failure();
  if (padding.size() == 1)
    padding.assign(3, padding.front());
  SmallVector<NamedAttribute> attributes = {i32Array(call, "stride", stride),
                                            i32Array(call, "padding", padding)};
  for (StringRef name : {"groups", "batch_dim", "depth_dim", "height_dim",
                         "width_dim", "channel_dim", "padding_mode"})
    attributes.push_back(call.builder.attr(name, call.attribute(name)));
  return call.carry(attributes);
}

LogicalResult rules::maxPool2dWithIndices(Call &call) {
  if (call.attribute("flattened_compat_info"))
    return call.refuse("flattened_compat_info: expected none");
  SmallVector<int64_t> kernel = perAxis(call, "kernel", 2);
  Slide slide(call);
  if (kernel.empty() || !slide)
    return failure();
  SmallVector<NamedAttribute> attributes = slide.arrays(call);
  attributes.append(
      {i32Array(call, "kernel", kernel),
       call.builder.attr("ceil_mode", call.attribute("ceil_mode"))});
  return call.carry(attributes);
}

LogicalResult rules::upsample2d(Call &call) {
  SmallVector<int64_t> factors = perAxis(call, "scale_factor", 2);
  if (factors.empty())
    return failure();
  return call.carry({i32Array(call, "scale_factor", factors),
                     call.builder.attr("mode", call.attribute("mode"))},
                    "upsample");
}
