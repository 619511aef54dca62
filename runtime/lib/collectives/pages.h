// Pages of tensors: what chips pass to each other, and how a tensor is cut into
// slices of whole pages or made of them.
//
// A tensor has wire form if it is dense and its pages are contiguous: tiles of
// any placement, or interleaved rows; and if padding of tiles that shares the
// exponents of block floats is 0. Others are copied to that form first, on
// their chip. Cuts that fall between pages use the pages where they are; other
// cuts and joins move elements on the chip.
#ifndef TT_RUNTIME_COLLECTIVES_PAGES_H
#define TT_RUNTIME_COLLECTIVES_PAGES_H

#include "emulator/tensor.h"

#include <cstddef>
#include <vector>

namespace tt::runtime::collectives {

using emulator::TensorPtr;
using ChipPtr = std::shared_ptr<emulator::Chip>;

/// Pages on one chip, null where another rank has the chip. Does not own them.
struct Pages {
  std::vector<std::byte *> at;
  std::int64_t bytes = 0; // of each

  std::int64_t count() const { return std::int64_t(at.size()); }
};

/// The pages of a tensor in wire form, and the bytes of each.
struct PageCount {
  std::int64_t count, bytes;
};
PageCount countPages(const Layout &layout);

/// All pages of a tensor in wire form: tiles row by row, or rows.
Pages pagesOf(const TensorPtr &tensor);

/// `count` pages of undefined contents in the DRAM of a chip.
class PagePool {
public:
  /// Throws Error(OutOfMemory).
  PagePool(const ChipPtr &chip, std::int64_t count, std::int64_t bytes);

  std::byte *page(std::int64_t index) const {
    return buffer_->base() + index % banks_ * buffer_->bankSpacing() +
           index / banks_ * stride_;
  }

private:
  std::int64_t banks_, stride_;
  std::shared_ptr<emulator::Buffer> buffer_;
};

/// The layout of a tensor whose matrices have tiles of their own as the dense
/// tensor of those tiles: the rows that pad them are rows of it. Others as they
/// are.
Layout withPaddedRows(const Layout &layout);

/// The layout of a tensor in wire form: its own if it is that already.
Layout wireLayout(const Layout &layout, const ChipGeometry &chip);

/// The tensor itself if it has wire form, else a copy that has.
TensorPtr wireForm(const TensorPtr &tensor, const ChipPtr &chip);

/// A tensor in wire form of that shape and with type and tiles of `like`, of
/// the same rank.
TensorPtr makeWire(const std::vector<std::int64_t> &shape,
                   const TensorPtr &like, const ChipPtr &chip);

/// Where a result is made: `out` itself if it has wire form and type and tiles
/// of `in`, and shares no memory with `in` (or has all of it if `inPlace`),
/// else a tensor that has; store() then copies it to `out`.
TensorPtr wireTarget(const TensorPtr &out, const TensorPtr &in, bool inPlace,
                     const ChipPtr &chip);
void store(const TensorPtr &made, const TensorPtr &out);

/// True if slices of 1/`count` of `dim` are whole pages (or contiguous parts of
/// rows) of a tensor in wire form.
bool cutsPages(const Layout &layout, std::int64_t dim, std::int64_t count);

/// The pages of slice `index` of `count`, in the order in which a tensor of the
/// slice alone has them.
Pages sliceOf(const TensorPtr &tensor, std::int64_t dim, std::int64_t index,
              std::int64_t count);

/// The slices of a tensor; `made` keeps what had to be copied alive.
struct Slices {
  std::vector<Pages> pages;
  std::vector<TensorPtr> made;
};

/// The slices of a tensor in wire form, for reading.
Slices cut(const TensorPtr &tensor, std::int64_t dim, std::int64_t count,
           const ChipPtr &chip);

/// Memory for the `count` slices that make up `target`: its own where that is
/// possible, else tensors that finishJoin() puts together.
Slices beginJoin(const TensorPtr &target, std::int64_t dim, std::int64_t count,
                 const ChipPtr &chip);
void finishJoin(const Slices &slices, const TensorPtr &target,
                std::int64_t dim);

/// One slice alone, written to `target` of its shape.
void copySlice(const TensorPtr &tensor, std::int64_t dim, std::int64_t index,
               std::int64_t count, const TensorPtr &target);

} // namespace tt::runtime::collectives

#endif // TT_RUNTIME_COLLECTIVES_PAGES_H
