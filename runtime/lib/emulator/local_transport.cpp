// A transport between the threads of one process.
#include "numerics/cancel.h"
#include "tt/runtime/error.h"
#include "tt/runtime/transport.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tt::runtime {

namespace {

/// What the threads share. In turn, all of them post their messages and all of
/// them take what was posted for them.
struct Mailboxes {
  explicit Mailboxes(std::uint32_t size) : posted(size) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::vector<std::string>> posted; // by sender, receiver
  std::uint32_t posts = 0, takes = 0;           // of this turn
};

class LocalTransport : public Transport {
public:
  LocalTransport(std::shared_ptr<Mailboxes> mailboxes, std::uint32_t rank)
      : mailboxes_(std::move(mailboxes)), rank_(rank) {}

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override {
    return std::uint32_t(mailboxes_->posted.size());
  }

  std::vector<std::string>
  exchange(std::vector<std::string> messages) override {
    Mailboxes &boxes = *mailboxes_;
    std::unique_lock lock(boxes.mutex);
    boxes.posted[rank_] = std::move(messages);
    ++boxes.posts;
    boxes.changed.notify_all();
    wait(lock, [&] { return boxes.posts == size(); });
    std::vector<std::string> found;
    for (auto &from : boxes.posted)
      found.push_back(std::move(from[rank_]));
    if (++boxes.takes == size())
      boxes.posts = boxes.takes = 0;
    boxes.changed.notify_all();
    // Until then this thread may not post again.
    wait(lock, [&] { return boxes.takes == 0; });
    return found;
  }

private:
  template <typename Condition>
  void wait(std::unique_lock<std::mutex> &lock, const Condition &condition) {
    while (!mailboxes_->changed.wait_for(lock, std::chrono::milliseconds(20),
                                         condition))
      numerics::checkCancelled();
  }

  std::shared_ptr<Mailboxes> mailboxes_;
  std::uint32_t rank_;
};

} // namespace

std::vector<std::shared_ptr<Transport>>
makeLocalTransports(std::uint32_t size) {
  if (size == 0)
    raise(ErrorCategory::Argument, "expected at least one rank, found none");
  const auto mailboxes = std::make_shared<Mailboxes>(size);
  std::vector<std::shared_ptr<Transport>> transports;
  for (std::uint32_t rank = 0; rank < size; ++rank)
    transports.push_back(std::make_shared<LocalTransport>(mailboxes, rank));
  return transports;
}

} // namespace tt::runtime
