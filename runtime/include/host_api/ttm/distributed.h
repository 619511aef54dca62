// Meshes of chips: a program runs on all chips of a range, on buffers with the
// same address on all of them.
#ifndef TTM_DISTRIBUTED_H
#define TTM_DISTRIBUTED_H

#include "ttm/device.h"

namespace tt::tt_metal::distributed {

/// Rows and columns.
class MeshShape {
public:
  MeshShape(std::uint32_t rows, std::uint32_t columns)
      : extents_{rows, columns} {}
  explicit MeshShape(std::uint32_t chips) : MeshShape(1, chips) {}
  std::uint32_t operator[](std::size_t axis) const { return extents_.at(axis); }
  std::size_t dims() const { return extents_.size(); }
  std::size_t mesh_size() const {
    return std::size_t(extents_[0]) * extents_[1];
  }
  bool operator==(const MeshShape &) const = default;

private:
  std::array<std::uint32_t, 2> extents_;
};

class MeshCoordinate {
public:
  MeshCoordinate(std::uint32_t row, std::uint32_t column)
      : values_{row, column} {}
  std::uint32_t operator[](std::size_t axis) const { return values_.at(axis); }
  std::size_t dims() const { return values_.size(); }
  auto operator<=>(const MeshCoordinate &) const = default;

private:
  std::array<std::uint32_t, 2> values_;
};

/// A rectangle of chips, including both corners.
class MeshCoordinateRange {
public:
  MeshCoordinateRange(const MeshCoordinate &start, const MeshCoordinate &end)
      : start_(start), end_(end) {}
  explicit MeshCoordinateRange(const MeshCoordinate &chip)
      : MeshCoordinateRange(chip, chip) {}
  explicit MeshCoordinateRange(const MeshShape &shape)
      : MeshCoordinateRange({0, 0}, {shape[0] - 1, shape[1] - 1}) {}
  const MeshCoordinate &start_coord() const { return start_; }
  const MeshCoordinate &end_coord() const { return end_; }

private:
  MeshCoordinate start_, end_;
};

struct MeshDeviceConfig {
  MeshShape mesh_shape;
  std::vector<int> physical_device_ids = {};
  explicit MeshDeviceConfig(const MeshShape &shape, std::vector<int> ids = {})
      : mesh_shape(shape), physical_device_ids(std::move(ids)) {}
};

using MeshCommandQueue = CommandQueue;

class TTM_EXPORT MeshDevice : public IDevice {
public:
  static std::shared_ptr<MeshDevice> create(const MeshDeviceConfig &config);
  static std::shared_ptr<MeshDevice> create_unit_mesh(int device_id);
  static std::shared_ptr<MeshDevice> create_unit_mesh(int device_id,
                                                      std::size_t,
                                                      std::size_t = 0,
                                                      std::size_t = 1) {
    return create_unit_mesh(device_id);
  }

  MeshCommandQueue &mesh_command_queue(std::size_t id = 0) {
    return command_queue(id);
  }
  MeshShape shape() const;
  std::size_t num_devices() const { return shape().mesh_size(); }
  std::size_t num_rows() const { return shape()[0]; }
  std::size_t num_cols() const { return shape()[1]; }

private:
  using IDevice::IDevice;
};

class MeshWorkload {
public:
  void add_program(const MeshCoordinateRange &range, Program &&program) {
    programs_.emplace_back(range, std::move(program));
  }
  std::vector<std::pair<MeshCoordinateRange, Program>> &programs() {
    return programs_;
  }

private:
  std::vector<std::pair<MeshCoordinateRange, Program>> programs_;
};

inline MeshWorkload CreateMeshWorkload() { return {}; }
inline void AddProgramToMeshWorkload(MeshWorkload &workload, Program &&program,
                                     const MeshCoordinateRange &range) {
  workload.add_program(range, std::move(program));
}

/// Runs each program of the workload on the chips of its range.
TTM_EXPORT void EnqueueMeshWorkload(MeshCommandQueue &queue,
                                    MeshWorkload &workload,
                                    bool blocking = false);
inline void Finish(MeshCommandQueue &) {}

namespace detail {
/// Transfers a whole mesh buffer from or to the shards of its chips.
TTM_EXPORT void writeMesh(const MeshBuffer &buffer, const void *data,
                          std::size_t bytes);
TTM_EXPORT void readMesh(const MeshBuffer &buffer, void *data);
TTM_EXPORT std::uint32_t positionOf(const MeshBuffer &buffer,
                                    const MeshCoordinate &chip);
} // namespace detail

template <typename T>
void EnqueueWriteMeshBuffer(MeshCommandQueue &,
                            const std::shared_ptr<MeshBuffer> &buffer,
                            const std::vector<T> &data, bool = false) {
  detail::writeMesh(*buffer, data.data(), data.size() * sizeof(T));
}
template <typename T>
void EnqueueReadMeshBuffer(MeshCommandQueue &, std::vector<T> &data,
                           const std::shared_ptr<MeshBuffer> &buffer,
                           bool = true) {
  data.resize((buffer->size() + sizeof(T) - 1) / sizeof(T));
  detail::readMesh(*buffer, data.data());
}
template <typename T>
void WriteShard(MeshCommandQueue &, const std::shared_ptr<MeshBuffer> &buffer,
                const std::vector<T> &data, const MeshCoordinate &chip,
                bool = false) {
  tt_metal::detail::writeBytes(*buffer->get_reference_buffer(),
                               detail::positionOf(*buffer, chip), data.data(),
                               data.size() * sizeof(T));
}
template <typename T>
void ReadShard(MeshCommandQueue &, std::vector<T> &data,
               const std::shared_ptr<MeshBuffer> &buffer,
               const MeshCoordinate &chip, bool = true) {
  data.resize((buffer->device_local_size() + sizeof(T) - 1) / sizeof(T));
  tt_metal::detail::readBytes(*buffer->get_reference_buffer(),
                              detail::positionOf(*buffer, chip), data.data(),
                              buffer->device_local_size());
}

} // namespace tt::tt_metal::distributed

#endif // TTM_DISTRIBUTED_H
