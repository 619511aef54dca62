// Switches between stacks.
#ifndef TT_RUNTIME_EMULATOR_SWITCH_STACK_H
#define TT_RUNTIME_EMULATOR_SWITCH_STACK_H

#include <cstddef>

namespace tt::runtime::emulator {

/// Prepares the `bytes` before `end`, which is aligned to 16, as a stack on
/// which `entry` is called; it must not return. Returns the argument `next` of
/// switchStack().
void *prepareStack(std::byte *end, std::size_t bytes, void (*entry)());

/// Continues at `next`. Returns when another call continues at `*here`.
void switchStack(void **here, void *next);

/// Calls a function, which throws nothing, on the stack that switchStack() left
/// at `stack`; where that is not supported, on this one.
void callOnStack(void *stack, void (*function)(void *), void *argument);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_SWITCH_STACK_H
