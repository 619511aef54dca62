#include "emulator/vector_clock.h"

#include <algorithm>

namespace tt::runtime::emulator {

bool VectorClock::hasLanded(Access access, const Area &place) const {
  return std::any_of(landed_->begin(), landed_->end(),
                     [&](const Landed &landed) {
                       return indexOf(landed.upTo) == indexOf(access) &&
                              epochOf(access) <= epochOf(landed.upTo) &&
                              landed.area.covers(place);
                     });
}

std::optional<std::uint32_t>
VectorClock::soleChange(const VectorClock &later, std::uint32_t epochs) const {
  if (core_ != later.core_ || others_ != later.others_ ||
      landed_ != later.landed_)
    return std::nullopt;
  const auto [a, b] =
      std::mismatch(own_.begin(), own_.end(), later.own_.begin());
  if (a == own_.end() || *b - *a != epochs ||
      !std::equal(a + 1, own_.end(), b + 1))
    return std::nullopt;
  return std::uint32_t(a - own_.begin());
}

void VectorClock::join(const VectorClock &from) {
  if (from.core_ == core_)
    joinOwn(from.own_);
  joinOthers(from);
  if (!from.landed_ || from.landed_ == landed_)
    return;
  if (!landed_) {
    landed_ = from.landed_;
    return;
  }
  for (const Landed &landed : *from.landed_)
    land(landed.upTo, landed.area);
}

void VectorClock::join(const ClockView &from) {
  if (sharesOthers(from.rest_))
    joinOwn(from.own_);
  else
    join(from.copy());
}

void VectorClock::joinOthers(const VectorClock &from) {
  const std::vector<std::uint32_t> &theirs = *from.others_;
  const std::size_t ours = std::size_t(core_) * kActors;
  if (from.core_ != core_)
    for (std::uint32_t i = 0; i < kActors; ++i)
      own_[i] = std::max(own_[i], theirs[ours + i]);

  const std::size_t sender = std::size_t(from.core_) * kActors;
  const bool knowsSender =
      from.core_ == core_ ||
      std::equal(from.own_.begin(), from.own_.end(), others_->begin() + sender,
                 std::less_equal<>());
  if (knowsSender && from.others_ == others_)
    return;
  const auto covers = [](const auto &all, const auto &some) {
    bool less = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      less |= all[i] < some[i];
    return !less;
  };
  if (knowsSender && covers(*others_, theirs))
    return;
  if (from.core_ == core_ && covers(theirs, *others_)) {
    others_ = from.others_;
    return;
  }
  auto joined = std::make_shared<std::vector<std::uint32_t>>(*others_);
  for (std::size_t i = 0; i < joined->size(); ++i)
    (*joined)[i] = std::max((*joined)[i], theirs[i]);
  if (from.core_ != core_)
    for (std::uint32_t i = 0; i < kActors; ++i)
      (*joined)[sender + i] = std::max((*joined)[sender + i], from.own_[i]);
  others_ = std::move(joined);
}

void VectorClock::land(Access access, const Area &area) {
  auto next = std::make_shared<std::vector<Landed>>();
  if (landed_)
    for (const Landed &old : *landed_) {
      const bool same = indexOf(old.upTo) == indexOf(access);
      if (same && old.area == area)
        access = std::max(access, old.upTo);
      else if (epochOf(old.upTo) > epoch(own_, indexOf(old.upTo)))
        next->push_back(old); // no barrier has covered it yet
    }
  next->push_back({access, area});
  landed_ = std::move(next);
}

void ClockList::eraseFirst(std::size_t count) {
  clocks_.erase(clocks_.begin(), clocks_.begin() + std::ptrdiff_t(count));
  const std::uint32_t unused =
      clocks_.empty() ? std::uint32_t(rests_.size()) : clocks_.front().rest;
  rests_.erase(rests_.begin(), rests_.begin() + unused);
  for (Clock &clock : clocks_)
    clock.rest -= unused;
}

void ClockList::shrink(std::size_t bytes) {
  if (clocks_.capacity() * sizeof(Clock) > bytes)
    clocks_.shrink_to_fit();
}

} // namespace tt::runtime::emulator
