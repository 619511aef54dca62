// The ranks that emulate a system together: which of them has a chip, and what
// they tell each other. All ranks make the same exchanges in the same order;
// where one of them fails, or runs something else, all get an error that names
// it.
#ifndef TT_RUNTIME_EMULATOR_RANKS_H
#define TT_RUNTIME_EMULATOR_RANKS_H

#include "tt/runtime/error.h"
#include "tt/runtime/transport.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace tt::runtime::emulator {

/// An error that another rank reported, or that all ranks have found together.
class SharedError : public Error {
public:
  using Error::Error;
};

class Ranks {
public:
  explicit Ranks(std::shared_ptr<Transport> transport)
      : transport_(std::move(transport)) {}

  std::uint32_t rank() const { return transport_->rank(); }
  std::uint32_t size() const { return transport_->size(); }

  /// Transport::exchange(), by all ranks for the same purpose; no messages are
  /// empty ones. Throws SharedError if another rank has failed or is elsewhere.
  std::vector<std::string> exchange(const std::string &what,
                                    std::vector<std::string> messages = {});
  /// Sends one message to all ranks; returns those of all ranks.
  std::vector<std::string> gather(const std::string &what,
                                  const std::string &message) {
    return exchange(what, std::vector<std::string>(size(), message));
  }
  /// See tt::runtime::requireSame().
  void requireSame(const std::string &what, const std::string &value);
  /// Takes part in the next exchange of the other ranks, who get this error
  /// from it; nothing if all ranks have an error already.
  void announce(ErrorCategory category, const std::string &message);
  /// What fails from now on is not known to the other ranks.
  void begin() { failed_ = false; }
  /// The last exchange has ended with an error on all ranks.
  bool failed() const { return failed_; }

private:
  std::vector<std::string> transfer(const std::string &header,
                                    std::vector<std::string> messages);

  std::shared_ptr<Transport> transport_;
  std::uint64_t count_ = 0; // of exchanges
  bool failed_ = false;
  std::string broken_; // why there can be no more of them
};

/// The ranks of the current transport; null if there is none.
std::shared_ptr<Ranks> currentRanks();

/// What another rank has.
struct Remote {
  std::shared_ptr<Ranks> ranks;
  std::uint32_t owner = 0;
};

/// Which rank has which positions of a mesh.
class Ownership {
public:
  /// This process has all of them.
  Ownership() = default;
  /// A mesh of one chip is not divided: each rank has a copy of it. Throws
  /// Error(Argument) if the ranks do not divide the chips.
  Ownership(std::shared_ptr<Ranks> ranks,
            const std::vector<std::uint32_t> &meshShape);
  /// Rank `owners[p]` has position p. A mesh that one rank has alone is not
  /// divided. Throws Error(Argument) if only some of the ranks have chips of
  /// the mesh, or if all its chips are those of another rank.
  Ownership(std::shared_ptr<Ranks> ranks,
            const std::vector<std::uint32_t> &meshShape,
            std::vector<std::uint32_t> owners);

  bool divided() const { return ranks_ != nullptr; }
  std::uint32_t ownerOf(std::size_t position) const {
    return divided() ? (*owners_)[position] : 0;
  }
  bool isLocal(std::size_t position) const {
    return !divided() || ownerOf(position) == ranks_->rank();
  }
  /// The first position of this rank.
  std::uint32_t first() const { return first_; }
  /// Of a divided mesh.
  Ranks &ranks() const { return *ranks_; }
  Remote remote(std::size_t position) const {
    return {ranks_, ownerOf(position)};
  }

private:
  void divide(std::shared_ptr<Ranks> ranks, std::vector<std::uint32_t> owners);

  std::shared_ptr<Ranks> ranks_; // null: not divided
  std::shared_ptr<const std::vector<std::uint32_t>> owners_; // by position
  std::uint32_t first_ = 0;
};

/// Writes values to a message.
class MessageWriter {
public:
  template <typename T> void add(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    addBytes(&value, sizeof(T));
  }
  void addBytes(const void *bytes, std::size_t count) {
    text.append(static_cast<const char *>(bytes), count);
  }
  void addText(const std::string &value) {
    add(std::uint64_t(value.size()));
    text += value;
  }

  std::string text;
};

/// Reads them in the same order; throws Error(Internal) at the end.
class MessageReader {
public:
  explicit MessageReader(const std::string &text) : text_(text) {}

  template <typename T> T take() {
    T value;
    std::memcpy(&value, takeBytes(sizeof(T)), sizeof(T));
    return value;
  }
  const char *takeBytes(std::size_t count);
  std::string takeText() {
    const auto count = std::size_t(take<std::uint64_t>());
    return {takeBytes(count), count};
  }
  bool done() const { return at_ == text_.size(); }

private:
  const std::string &text_;
  std::size_t at_ = 0;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_RANKS_H
