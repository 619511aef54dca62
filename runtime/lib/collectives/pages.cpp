#include "collectives/pages.h"

#include "emulator/mesh.h"
#include "emulator/tensor_copy.h"
#include "numerics/tiles.h"
#include "numerics/transform.h"

#include <span>

namespace tt::runtime::collectives {

using emulator::View;
using numerics::kTileDim;
using numerics::Rounding;

namespace {

constexpr const char *kOwner = "a collective's pages";

/// Elements that pad a tile share exponents with others.
bool sharesExponents(const Layout &l) {
  return numerics::isBlockFloat(l.type) && l.cols % numerics::kFaceDim != 0;
}

bool hasWireForm(const Layout &l) {
  if (!l.dense || (sharesExponents(l) && l.padding != 0))
    return false;
  return l.tiled ? l.placement != Placement::Linear
                 : l.placement == Placement::Interleaved ||
                       l.placement == Placement::SingleBank;
}

/// address(view of the tensor); null if another rank has the tensor.
template <typename Address>
auto addressIn(const TensorPtr &tensor, const Address &address) {
  return [remote = tensor->remote(),
          view = tensor->remote() ? View{&tensor->layout} : tensor->view(),
          address](auto... place) -> std::byte * {
    return remote ? nullptr : address(view, place...);
  };
}

const auto tileAt = [](const View &view, std::int64_t y, std::int64_t x) {
  return view.tile(y, x);
};
const auto elementAt = [](const View &view, std::int64_t row,
                          std::int64_t col) { return view.element(row, col); };

/// A slice as rectangles of the physical array: `blocks` of `height` rows, each
/// `period` rows after the one before, and columns [col, col + width).
struct Cut {
  std::int64_t row, height, period, blocks;
  std::int64_t col, width;
};

Cut cutOf(const Layout &l, std::int64_t dim, std::int64_t index,
          std::int64_t count) {
  if (dim == l.rank() - 1)
    return {0, l.rows, l.rows, 1, l.cols / count * index, l.cols / count};
  std::int64_t rows = 1;
  for (std::int64_t d = dim; d < l.rank() - 1; ++d)
    rows *= l.shape[std::size_t(d)];
  return {rows / count * index, rows / count, rows, l.rows / rows, 0, l.cols};
}

/// The elements of a tensor, row-major in scratch.
std::shared_ptr<void> readAll(const TensorPtr &tensor) {
  const Layout host = hostLayout(tensor->layout.shape,
                                 emulator::plainType(tensor->layout.type));
  auto data = emulator::allocateHost(host.bankBytes);
  emulator::copyTensor(tensor->view(),
                       {&host, static_cast<std::byte *>(data.get()), 0},
                       Rounding::Host);
  return data;
}

void writeAll(const TensorPtr &tensor, const std::shared_ptr<void> &data) {
  const Layout host = hostLayout(tensor->layout.shape,
                                 emulator::plainType(tensor->layout.type));
  emulator::copyTensor({&host, static_cast<std::byte *>(data.get()), 0},
                       tensor->view(), Rounding::Fast);
}

std::int64_t plainSize(const Layout &l) {
  return numerics::elementSize(emulator::plainType(l.type));
}

/// Writes slice `index` of the elements `data` of a tensor to `target`.
void writeSlice(const Layout &l, const void *data, std::int64_t dim,
                std::int64_t index, std::int64_t count,
                const TensorPtr &target) {
  const std::int64_t extent = l.shape[std::size_t(dim)] / count;
  std::vector<std::int64_t> begin(l.shape.size(), 0), end = l.shape;
  const std::vector<std::int64_t> step(l.shape.size(), 1);
  begin[std::size_t(dim)] = extent * index;
  end[std::size_t(dim)] = extent * (index + 1);
  const std::int64_t size = plainSize(l);
  auto slice = emulator::allocateHost(target->layout.volume() * size);
  numerics::slice(data, l.shape, begin, end, step, size, slice.get());
  writeAll(target, slice);
}

} // namespace

PagePool::PagePool(const ChipPtr &chip, std::int64_t count, std::int64_t bytes)
    : banks_(chip->geometry().channels) {
  const std::int64_t align = chip->geometry().dramAlign;
  stride_ = (bytes + align - 1) / align * align;
  buffer_ = std::make_shared<emulator::Buffer>(
      chip, Space::Dram, (count + banks_ - 1) / banks_ * stride_, kOwner);
}

PageCount countPages(const Layout &l) {
  if (l.tiled)
    return {numerics::tilesFor(l.rows) * numerics::tilesFor(l.cols),
            numerics::tileBytes(l.type)};
  return {l.rows, l.cols * l.elementSize()};
}

Pages pagesOf(const TensorPtr &tensor) {
  const Layout &l = tensor->layout;
  const auto tile = addressIn(tensor, tileAt);
  const auto element = addressIn(tensor, elementAt);
  const PageCount all = countPages(l);
  Pages pages;
  pages.bytes = all.bytes;
  pages.at.reserve(std::size_t(all.count));
  if (l.tiled) {
    for (std::int64_t ty = 0; ty < numerics::tilesFor(l.rows); ++ty)
      for (std::int64_t tx = 0; tx < numerics::tilesFor(l.cols); ++tx)
        pages.at.push_back(tile(ty, tx));
    return pages;
  }
  for (std::int64_t row = 0; row < l.rows; ++row)
    pages.at.push_back(element(row, 0));
  return pages;
}

namespace {

Layout wireLayoutLike(const std::vector<std::int64_t> &shape,
                      const Layout &like, const ChipGeometry &chip) {
  Layout layout = interleavedLayout(shape, like.type, like.tiled, chip);
  // A sum of paddings must not cost the elements beside it.
  layout.padding = sharesExponents(layout) ? 0 : like.padding;
  return layout;
}

} // namespace

Layout wireLayout(const Layout &l, const ChipGeometry &chip) {
  return hasWireForm(l) ? l : wireLayoutLike(l.shape, l, chip);
}

TensorPtr makeWire(const std::vector<std::int64_t> &shape,
                   const TensorPtr &like, const ChipPtr &chip) {
  const Layout layout = wireLayoutLike(shape, like->layout, chip->geometry());
  return emulator::ownedLike(emulator::allocateTensor(layout, chip, kOwner),
                             like);
}

Layout withPaddedRows(const Layout &l) {
  const std::int64_t rank = l.rank();
  if (!l.tiled || l.dense || rank < 3)
    return l;
  Layout padded = l;
  padded.dense = true;
  std::int64_t &rows = padded.shape[std::size_t(rank - 2)];
  rows = numerics::tilesFor(rows) * kTileDim;
  std::int64_t stride = l.cols;
  for (std::int64_t d = rank - 2; d >= 0; --d) {
    const auto at = std::size_t(d);
    if (l.shape[at] != 1 && l.stride[at] != stride)
      return l;
    padded.stride[at] = stride;
    stride *= padded.shape[at];
  }
  padded.rows = padded.logicalRows();
  return padded;
}

TensorPtr wireForm(const TensorPtr &tensor, const ChipPtr &chip) {
  if (hasWireForm(tensor->layout))
    return tensor;
  TensorPtr copy = makeWire(tensor->layout.shape, tensor, chip);
  if (tensor->remote())
    return copy;
  if (sharesExponents(tensor->layout))
    writeAll(copy, readAll(tensor)); // without the padding
  else
    emulator::copyTensor(tensor->view(), copy->view(), Rounding::Fast);
  return copy;
}

TensorPtr wireTarget(const TensorPtr &out, const TensorPtr &in, bool inPlace,
                     const ChipPtr &chip) {
  const Layout &l = out->layout, &like = in->layout;
  const emulator::Buffer &from = *in->buffer, &to = *out->buffer;
  const bool shared =
      from.overlaps(to) &&
      !(inPlace && from.address() == to.address() && in->layout.samePages(l));
  if (!shared && hasWireForm(l) && l.type == like.type && l.tiled == like.tiled)
    return out;
  return makeWire(l.shape, in, chip);
}

void store(const TensorPtr &made, const TensorPtr &out) {
  if (made != out)
    emulator::copyOwn(made, out, Rounding::Fast);
}

bool cutsPages(const Layout &layout, std::int64_t dim, std::int64_t count) {
  const Cut cut = cutOf(layout, dim, 0, count);
  if (!layout.tiled)
    return true;
  return dim == layout.rank() - 1 ? cut.width % kTileDim == 0
                                  : cut.height % kTileDim == 0;
}

Pages sliceOf(const TensorPtr &tensor, std::int64_t dim, std::int64_t index,
              std::int64_t count) {
  const Layout &l = tensor->layout;
  const auto tile = addressIn(tensor, tileAt);
  const auto element = addressIn(tensor, elementAt);
  const Cut cut = cutOf(l, dim, index, count);
  Pages pages;
  const std::int64_t unit = l.tiled ? kTileDim : 1;
  pages.bytes =
      l.tiled ? numerics::tileBytes(l.type) : cut.width * l.elementSize();
  for (std::int64_t block = 0; block < cut.blocks; ++block) {
    const std::int64_t first = block * cut.period + cut.row;
    for (std::int64_t row = first; row < first + cut.height; row += unit) {
      if (!l.tiled) {
        pages.at.push_back(element(row, cut.col));
        continue;
      }
      for (std::int64_t col = cut.col; col < cut.col + cut.width; col += unit)
        pages.at.push_back(tile(row / unit, col / unit));
    }
  }
  return pages;
}

Slices cut(const TensorPtr &tensor, std::int64_t dim, std::int64_t count,
           const ChipPtr &chip) {
  const Layout &l = tensor->layout;
  Slices slices;
  if (cutsPages(l, dim, count)) {
    for (std::int64_t i = 0; i < count; ++i)
      slices.pages.push_back(sliceOf(tensor, dim, i, count));
    return slices;
  }
  std::vector<std::int64_t> shape = l.shape;
  shape[std::size_t(dim)] /= count;
  const auto data = tensor->remote() ? nullptr : readAll(tensor);
  for (std::int64_t i = 0; i < count; ++i) {
    slices.made.push_back(makeWire(shape, tensor, chip));
    if (data)
      writeSlice(l, data.get(), dim, i, count, slices.made.back());
    slices.pages.push_back(pagesOf(slices.made.back()));
  }
  return slices;
}

Slices beginJoin(const TensorPtr &target, std::int64_t dim, std::int64_t count,
                 const ChipPtr &chip) {
  const Layout &l = target->layout;
  Slices slices;
  const bool whole = cutsPages(l, dim, count);
  std::vector<std::int64_t> shape = l.shape;
  shape[std::size_t(dim)] /= count;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!whole)
      slices.made.push_back(makeWire(shape, target, chip));
    slices.pages.push_back(whole ? sliceOf(target, dim, i, count)
                                 : pagesOf(slices.made.back()));
  }
  return slices;
}

void finishJoin(const Slices &slices, const TensorPtr &target,
                std::int64_t dim) {
  if (slices.made.empty() || target->remote())
    return;
  std::vector<std::shared_ptr<void>> parts;
  std::vector<const void *> inputs;
  std::vector<std::span<const std::int64_t>> shapes;
  for (const TensorPtr &made : slices.made) {
    parts.push_back(readAll(made));
    inputs.push_back(parts.back().get());
    shapes.emplace_back(made->layout.shape);
  }
  const Layout &l = target->layout;
  auto data = emulator::allocateHost(l.volume() * plainSize(l));
  numerics::concat(inputs, shapes, dim, plainSize(l), data.get());
  writeAll(target, data);
}

void copySlice(const TensorPtr &tensor, std::int64_t dim, std::int64_t index,
               std::int64_t count, const TensorPtr &target) {
  writeSlice(tensor->layout, readAll(tensor).get(), dim, index, count, target);
}

} // namespace tt::runtime::collectives
