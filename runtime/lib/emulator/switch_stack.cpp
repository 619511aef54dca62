#include "emulator/switch_stack.h"

#include <cstdint>

// swapcontext saves the signal mask with two system calls, which take longer
// than most kernel instructions.
#if defined(__x86_64__) && !defined(TTMLIR_PORTABLE_SWITCH)

// Jumps instead of returning, since the return would be mispredicted.
asm(R"(
  .text
  .hidden ttmlir_switch_stack
  .globl ttmlir_switch_stack
  .type ttmlir_switch_stack, @function
ttmlir_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
  .size ttmlir_switch_stack, . - ttmlir_switch_stack
)");
asm(R"(
  .text
  .hidden ttmlir_call_on_stack
  .globl ttmlir_call_on_stack
  .type ttmlir_call_on_stack, @function
ttmlir_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdi, %rsp
  andq $-16, %rsp
  movq %rdx, %rdi
  call *%rsi
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size ttmlir_call_on_stack, . - ttmlir_call_on_stack
)");
extern "C" void ttmlir_switch_stack(void **here, void *next);
extern "C" void ttmlir_call_on_stack(void *stack, void (*function)(void *),
                                     void *argument);

namespace tt::runtime::emulator {

void *prepareStack(std::byte *end, std::size_t, void (*entry)()) {
  // The six registers, the return address, and the slot for the caller of
  // `entry`.
  auto *slots = reinterpret_cast<std::uintptr_t *>(end) - 8;
  for (int i = 0; i < 8; ++i)
    slots[i] = 0;
  slots[6] = reinterpret_cast<std::uintptr_t>(entry);
  return slots;
}

void switchStack(void **here, void *next) { ttmlir_switch_stack(here, next); }

void callOnStack(void *stack, void (*function)(void *), void *argument) {
  ttmlir_call_on_stack(stack, function, argument);
}

} // namespace tt::runtime::emulator

#else

#include <new>
#include <ucontext.h>

namespace tt::runtime::emulator {

void *prepareStack(std::byte *end, std::size_t bytes, void (*entry)()) {
  constexpr std::size_t kSize = (sizeof(ucontext_t) + 63) / 64 * 64;
  auto *context = new (end - kSize) ucontext_t();
  getcontext(context);
  context->uc_stack.ss_sp = end - bytes;
  context->uc_stack.ss_size = bytes - kSize;
  context->uc_link = nullptr;
  makecontext(context, entry, 0);
  return context;
}

void switchStack(void **here, void *next) {
  ucontext_t context; // stays on the stack that is left
  *here = &context;
  swapcontext(&context, static_cast<ucontext_t *>(next));
}

void callOnStack(void *, void (*function)(void *), void *argument) {
  function(argument);
}

} // namespace tt::runtime::emulator

#endif
