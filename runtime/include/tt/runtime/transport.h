// Messages between the processes that emulate one system together, each of them
// some of its chips. The runtime decides what is sent; a Transport carries it,
// over MPI or between the threads of one process.
#ifndef TT_RUNTIME_TRANSPORT_H
#define TT_RUNTIME_TRANSPORT_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tt::runtime {

class Transport {
public:
  virtual ~Transport() = default;

  /// The number of this process, below size().
  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t size() const = 0;
  /// Sends `messages[r]` to each rank r and returns what each rank has sent, by
  /// rank. There is one message for each rank, the own one included. All ranks
  /// call it equally often; it returns when the messages of all have arrived.
  virtual std::vector<std::string>
  exchange(std::vector<std::string> messages) = 0;
};

/// Transports between `size` threads of this process, by rank. Throws
/// Error(Argument) if `size` is 0.
std::vector<std::shared_ptr<Transport>> makeLocalTransports(std::uint32_t size);

/// Meshes of devices that are opened from now on are divided among the ranks:
/// a rank has the chips at positions [rank * n, (rank + 1) * n) of a mesh of
/// size * n chips, and runs programs on those. All ranks make the same calls in
/// the same order. Null, the default: this process has all chips.
void setTransport(std::shared_ptr<Transport> transport);

/// Throws Error(Argument), which names two ranks, unless all ranks pass the
/// same value. All ranks of the transport call it; `what` describes the value.
/// Does nothing if there is no transport.
void requireSame(const std::string &what, const std::string &value);

/// The values that all ranks pass, by rank; that of this process if there is no
/// transport. All ranks call it, for the same purpose `what`. Throws
/// Error(Argument) if one of them is elsewhere.
std::vector<std::string> gather(const std::string &what,
                                const std::string &value);

/// The other ranks get this error in what they do together next, unless the
/// last thing they did together has ended with an error on all of them. With
/// `isNew` they get it also then: it is not that error.
void reportFailure(const std::string &message, bool isNew = false);

} // namespace tt::runtime

#endif // TT_RUNTIME_TRANSPORT_H
