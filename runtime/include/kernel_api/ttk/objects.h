// Circular buffers as objects, the interface since 2026.
#ifndef TTK_OBJECTS_H
#define TTK_OBJECTS_H

class CircularBuffer {
public:
  TTK_METHOD constexpr CircularBuffer(std::uint32_t id) : id_(id) {}
  TTK_METHOD void reserve_back(std::uint32_t pages, TTK_PLACE) const {
    cb_reserve_back(id_, pages, ttk_place);
  }
  TTK_METHOD void push_back(std::uint32_t pages, TTK_PLACE) const {
    cb_push_back(id_, pages, ttk_place);
  }
  TTK_METHOD void wait_front(std::uint32_t pages, TTK_PLACE) const {
    cb_wait_front(id_, pages, ttk_place);
  }
  TTK_METHOD void pop_front(std::uint32_t pages, TTK_PLACE) const {
    cb_pop_front(id_, pages, ttk_place);
  }
  TTK_METHOD std::uint32_t get_write_ptr(TTK_PLACE) const {
    return ::get_write_ptr(id_, ttk_place);
  }
  TTK_METHOD std::uint32_t get_read_ptr(TTK_PLACE) const {
    return ::get_read_ptr(id_, ttk_place);
  }
  TTK_METHOD std::uint32_t get_tile_size(TTK_PLACE) const {
    return ::get_tile_size(id_, ttk_place);
  }
  TTK_METHOD DataFormat get_dataformat(TTK_PLACE) const {
    return ::get_dataformat(id_, ttk_place);
  }
  TTK_METHOD constexpr std::uint32_t get_cb_id() const { return id_; }
  TTK_METHOD constexpr std::uint32_t get_id() const { return id_; }

private:
  std::uint32_t id_;
};
using DataflowBuffer = CircularBuffer;

namespace experimental {
using ::CircularBuffer;
using ::DataflowBuffer;
} // namespace experimental

#endif // TTK_OBJECTS_H
