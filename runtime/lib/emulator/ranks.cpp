#include "emulator/ranks.h"

#include "common/collective.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace tt::runtime {

namespace emulator {

namespace {

/// What a message begins with.
enum class Kind : std::uint8_t { Data, Failure };

struct Current {
  std::mutex mutex;
  std::shared_ptr<Ranks> ranks;
};

Current &current() {
  static Current current;
  return current;
}

} // namespace

const char *MessageReader::takeBytes(std::size_t count) {
  if (count > text_.size() - at_)
    raise(ErrorCategory::Internal, "expected ", count,
          " more bytes in a message of ", text_.size(), ", found ",
          text_.size() - at_);
  const char *bytes = text_.data() + at_;
  at_ += count;
  return bytes;
}

std::shared_ptr<Ranks> currentRanks() {
  std::lock_guard lock(current().mutex);
  return current().ranks;
}

Ownership::Ownership(std::shared_ptr<Ranks> ranks,
                     const std::vector<std::uint32_t> &meshShape) {
  const std::size_t chips = meshVolume(meshShape);
  if (!ranks || chips <= 1)
    return;
  if (chips % ranks->size() != 0)
    raise(ErrorCategory::Argument, "rank ", ranks->rank(), " of ",
          ranks->size(), ": expected a mesh of one chip, or of a multiple of ",
          ranks->size(), " chips, found mesh ", meshString(meshShape), " of ",
          chips);
  const std::size_t each = chips / ranks->size();
  std::vector<std::uint32_t> owners;
  for (std::size_t position = 0; position < chips; ++position)
    owners.push_back(std::uint32_t(position / each));
  divide(std::move(ranks), std::move(owners));
}

Ownership::Ownership(std::shared_ptr<Ranks> ranks,
                     const std::vector<std::uint32_t> &meshShape,
                     std::vector<std::uint32_t> owners) {
  if (!ranks)
    return;
  const std::set<std::uint32_t> found(owners.begin(), owners.end());
  if (found.size() == 1 && *found.begin() == ranks->rank())
    return;
  if (found.size() != ranks->size()) {
    std::string list;
    for (std::uint32_t rank : found)
      list += (list.empty() ? "" : ", ") + std::to_string(rank);
    raise(ErrorCategory::Argument, "rank ", ranks->rank(), " of ",
          ranks->size(),
          ": expected a mesh of chips of this rank, or of all ranks, found "
          "mesh ",
          meshString(meshShape), " of chips of ",
          found.size() == 1 ? "rank " : "ranks ", list);
  }
  divide(std::move(ranks), std::move(owners));
}

void Ownership::divide(std::shared_ptr<Ranks> ranks,
                       std::vector<std::uint32_t> owners) {
  first_ = std::uint32_t(
      std::find(owners.begin(), owners.end(), ranks->rank()) - owners.begin());
  owners_ =
      std::make_shared<const std::vector<std::uint32_t>>(std::move(owners));
  ranks_ = std::move(ranks);
}

std::vector<std::string> Ranks::transfer(const std::string &header,
                                         std::vector<std::string> messages) {
  messages.resize(size());
  for (std::string &message : messages)
    message.insert(0, header);
  std::vector<std::string> found;
  try {
    found = transport_->exchange(std::move(messages));
  } catch (...) {
    broken_ = "the messages between the ranks have ended with an error";
    throw;
  }
  if (found.size() != size())
    raise(ErrorCategory::Internal, "expected messages of ", size(),
          " ranks, found ", found.size());
  return found;
}

std::vector<std::string> Ranks::exchange(const std::string &what,
                                         std::vector<std::string> messages) {
  if (!broken_.empty())
    throw SharedError(ErrorCategory::Argument, broken_);
  MessageWriter header;
  header.add(Kind::Data);
  header.add(++count_);
  header.addText(what);
  std::vector<std::string> found = transfer(header.text, std::move(messages));
  std::string failure, elsewhere;
  ErrorCategory category = ErrorCategory::Argument;
  for (std::uint32_t other = 0; other < size(); ++other) {
    MessageReader reader(found[other]);
    const Kind kind = reader.take<Kind>();
    if (kind == Kind::Failure) {
      const auto failed = reader.take<ErrorCategory>();
      const std::string text = reader.takeText();
      if (failure.empty()) {
        failure = "rank " + std::to_string(other) + " of " +
                  std::to_string(size()) + ": " + text;
        category = failed;
      }
      continue;
    }
    const auto count = reader.take<std::uint64_t>();
    const std::string place = reader.takeText();
    if (elsewhere.empty() && (count != count_ || place != what))
      elsewhere = "expected all ranks to run the same script, found rank " +
                  std::to_string(rank()) + " at " + what + " (exchange " +
                  std::to_string(count_) + ") and rank " +
                  std::to_string(other) + " at " + place + " (exchange " +
                  std::to_string(count) + ")";
  }
  failed_ = !failure.empty() || !elsewhere.empty();
  if (!failure.empty())
    throw SharedError(category, failure);
  if (failed_)
    throw SharedError(ErrorCategory::Argument, elsewhere);
  for (std::string &message : found)
    message.erase(0, header.text.size());
  return found;
}

void Ranks::requireSame(const std::string &what, const std::string &value) {
  const auto values = gather("the comparison of the " + what, value);
  for (std::uint32_t other = 0; other < size(); ++other) {
    failed_ = values[other] != values[0];
    if (failed_)
      throw SharedError(ErrorCategory::Argument,
                        "expected the same " + what + " on all ranks, found " +
                            values[0] + " on rank 0 and " + values[other] +
                            " on rank " + std::to_string(other));
  }
}

void Ranks::announce(ErrorCategory category, const std::string &message) {
  if (failed_ || !broken_.empty())
    return;
  MessageWriter header;
  header.add(Kind::Failure);
  header.add(category);
  header.addText(message);
  ++count_;
  failed_ = true;
  transfer(header.text, {});
}

} // namespace emulator

void setTransport(std::shared_ptr<Transport> transport) {
  auto ranks = transport && transport->size() > 1
                   ? std::make_shared<emulator::Ranks>(std::move(transport))
                   : nullptr;
  std::lock_guard lock(emulator::current().mutex);
  emulator::current().ranks = std::move(ranks);
}

void requireSame(const std::string &what, const std::string &value) {
  if (const auto ranks = emulator::currentRanks())
    ranks->requireSame(what, value);
}

std::vector<std::string> gather(const std::string &what,
                                const std::string &value) {
  const auto ranks = emulator::currentRanks();
  return ranks ? ranks->gather(what, value) : std::vector{value};
}

void reportFailure(const std::string &message, bool isNew) {
  const auto ranks = emulator::currentRanks();
  if (!ranks)
    return;
  if (isNew)
    ranks->begin();
  ranks->announce(ErrorCategory::Argument, message);
}

} // namespace tt::runtime
