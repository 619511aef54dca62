// Pages of collectives between ranks.
#include "collectives/operations.h"

#include <algorithm>

namespace tt::runtime::collectives {

PageExchange::PageExchange(const emulator::Fabric &fabric)
    : ownership_(fabric.ownership()) {
  if (!ownership_.divided())
    return;
  messages_.resize(ownership_.ranks().size());
  expected_.resize(ownership_.ranks().size());
}

void PageExchange::bring(Pages &pages, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t owner = ownership_.ownerOf(from);
  if (!ownership_.divided() || owner == to)
    return;
  const std::uint32_t own = ownership_.ranks().rank();
  if (own == to)
    expected_[owner].push_back(&pages);
  if (own != owner)
    return;
  std::string &message = messages_[to];
  message.reserve(message.size() + std::size_t(pages.count() * pages.bytes));
  for (const std::byte *page : pages.at)
    message.append(reinterpret_cast<const char *>(page),
                   std::size_t(pages.bytes));
}

void PageExchange::bringTo(Pages &pages, std::uint32_t from,
                           const CollectiveGroup &positions) {
  if (!ownership_.divided())
    return;
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t position : positions)
    ranks.push_back(ownership_.ownerOf(position));
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  for (std::uint32_t rank : ranks)
    bring(pages, from, rank);
}

void PageExchange::run(CollectiveKind kind) {
  if (!ownership_.divided())
    return;
  messages_ =
      ownership_.ranks().exchange(collectiveName(kind), std::move(messages_));
  for (std::size_t rank = 0; rank < expected_.size(); ++rank) {
    std::size_t at = 0;
    for (Pages *pages : expected_[rank]) {
      const auto count = std::size_t(pages->count() * pages->bytes);
      if (count > messages_[rank].size() - at)
        raise(ErrorCategory::Internal, "expected ", count,
              " bytes of pages of rank ", rank, ", found ",
              messages_[rank].size() - at);
      for (std::byte *&page : pages->at) {
        page = reinterpret_cast<std::byte *>(messages_[rank].data() + at);
        at += std::size_t(pages->bytes);
      }
    }
  }
}

} // namespace tt::runtime::collectives
