#include "host_block.h"

#include <new>

namespace tt::pjrt {
namespace {

constexpr std::align_val_t alignment{64};

struct Block {
  PyObject_HEAD char *memory;
  std::size_t size;
};

int getBuffer(PyObject *self, Py_buffer *view, int flags) {
  auto *block = reinterpret_cast<Block *>(self);
  return PyBuffer_FillInfo(view, self, block->memory, Py_ssize_t(block->size),
                           /*readonly=*/1, flags);
}

void freeBlock(PyObject *self) {
  AlignedDelete()(reinterpret_cast<Block *>(self)->memory);
  PyTypeObject *type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void *>(getBuffer)},
                       {Py_tp_dealloc, reinterpret_cast<void *>(freeBlock)},
                       {0, nullptr}};

PyType_Spec spec = {"ttmlir._pjrt.Block", sizeof(Block), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                    slots};

PyTypeObject *blockType() {
  // The interpreter's lock guards it.
  static PyObject *type = nullptr;
  if (!type)
    type = PyType_FromSpec(&spec);
  return reinterpret_cast<PyTypeObject *>(type);
}

} // namespace

void AlignedDelete::operator()(char *memory) const {
  ::operator delete[](memory, alignment);
}

HostMemory allocateHost(std::size_t size) {
  return HostMemory(static_cast<char *>(::operator new[](size, alignment)));
}

Local makeBlock(HostMemory memory, std::size_t size) {
  PyTypeObject *type = blockType();
  Block *block = type ? PyObject_New(Block, type) : nullptr;
  if (!block)
    return Local();
  block->memory = memory.release();
  block->size = size;
  return Local(reinterpret_cast<PyObject *>(block));
}

} // namespace tt::pjrt
