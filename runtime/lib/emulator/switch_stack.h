// Leaves one stack for another.
#ifndef TT_RUNTIME_EMULATOR_SWITCH_STACK_H
#define TT_RUNTIME_EMULATOR_SWITCH_STACK_H

#include <cstddef>

namespace tt::runtime::emulator {

/// Returns what switchStack() takes to call `entry`, which never returns, on
/// the `bytes` before `end`, which is aligned to 16.
void *prepareStack(std::byte *end, std::size_t bytes, void (*entry)());

/// Continues where `next` says; returns when something continues `*here`.
void switchStack(void **here, void *next);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_SWITCH_STACK_H
