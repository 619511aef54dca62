// The part of the library that both kinds of kernels share: memory of the core,
// arguments, instructions and debugging aids.
#ifndef TTK_CORE_H
#define TTK_CORE_H

#include "ttk/issue.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

/// Declares a function that the emulator does not support; calling it is an
/// error.
#define TTK_UNSUPPORTED(name)                                                  \
  template <auto... ttk_options, typename... Arguments>                        \
  [[maybe_unused]] static auto name(Arguments &&...) {                         \
    static_assert(ttk::kNever<Arguments...>,                                   \
                  #name " is not supported by the emulator");                  \
  }                                                                            \
  template <typename Option, auto... ttk_options, typename... Arguments>       \
  requires(sizeof...(Arguments) < 1000 && !std::is_reference_v<Option>)        \
      [[maybe_unused]] static auto                                             \
      name(Arguments &&...) {                                                  \
    static_assert(ttk::kNever<Option, Arguments...>,                           \
                  #name " is not supported by the emulator");                  \
  }

//===----------------------------------------------------------------------===//
// Memory of the core
//===----------------------------------------------------------------------===//

namespace ttk {

TTK_UNCHECKED inline std::uint32_t
load(const volatile void *address, std::uint32_t bytes, const void *caller) {
  const Site site{nullptr, 0, caller};
  const std::uint64_t operands[] = {reinterpret_cast<std::uintptr_t>(address),
                                    bytes};
  Host *host = self();
  return static_cast<std::uint32_t>(host->issue(host, 46, 2, operands, &site));
}
TTK_UNCHECKED inline void store(volatile void *address, std::uint32_t value,
                                std::uint32_t bytes, const void *caller) {
  const Site site{nullptr, 0, caller};
  const std::uint64_t operands[] = {
      value, reinterpret_cast<std::uintptr_t>(address), bytes};
  Host *host = self();
  host->issue(host, 47, 3, operands, &site);
}

/// An element of the core's memory. A pointer to it holds the address on the
/// chip, and its loads and stores are instructions. A copy of an element is an
/// ordinary variable: its address is above all addresses of the chip, so that
/// its functions need not be checked.
template <typename T> class Element {
public:
  Element() = default;
  TTK_METHOD constexpr Element(T value) : own(value) {}
  Element(const Element &from) : own(from.get()) {}
  Element(const volatile Element &from) : own(from.get()) {}

  TTK_UNCHECKED operator T() const volatile {
    return get(__builtin_return_address(0));
  }
  TTK_UNCHECKED T operator=(T value) volatile {
    return set(value, __builtin_return_address(0));
  }
  TTK_UNCHECKED T operator=(const volatile Element &from) volatile {
    return set(from.get(__builtin_return_address(0)),
               __builtin_return_address(0));
  }
  TTK_UNCHECKED T operator=(const Element &from) {
    return set(from.get(__builtin_return_address(0)),
               __builtin_return_address(0));
  }
#define TTK_ASSIGNMENT(operation)                                              \
  TTK_UNCHECKED T operator operation##=(T value) volatile {                    \
    const void *caller = __builtin_return_address(0);                          \
    return set(T(get(caller) operation value), caller);                        \
  }
  TTK_ASSIGNMENT(+)
  TTK_ASSIGNMENT(-)
  TTK_ASSIGNMENT(*)
  TTK_ASSIGNMENT(/)
  TTK_ASSIGNMENT(%)
  TTK_ASSIGNMENT(&)
  TTK_ASSIGNMENT(|)
  TTK_ASSIGNMENT(^)
  TTK_ASSIGNMENT(<<)
  TTK_ASSIGNMENT(>>)
#undef TTK_ASSIGNMENT
  TTK_UNCHECKED T operator++() volatile {
    const void *caller = __builtin_return_address(0);
    return set(T(get(caller) + 1), caller);
  }
  TTK_UNCHECKED T operator++(int) volatile {
    const void *caller = __builtin_return_address(0);
    const T before = get(caller);
    set(T(before + 1), caller);
    return before;
  }
  TTK_UNCHECKED T operator--() volatile {
    const void *caller = __builtin_return_address(0);
    return set(T(get(caller) - 1), caller);
  }

private:
  TTK_METHOD bool isOwn() const volatile {
    return reinterpret_cast<std::uintptr_t>(this) >> 32 != 0;
  }
  TTK_METHOD T get(const void *caller = __builtin_return_address(0)) const
      volatile {
    return isOwn() ? own : fromWord(load(this, sizeof(T), caller));
  }
  TTK_METHOD T set(T value, const void *caller) volatile {
    if (isOwn())
      own = value;
    else
      store(this, toWord(value), sizeof(T), caller);
    return value;
  }
  TTK_METHOD static T fromWord(std::uint32_t word) {
    T value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
  }
  TTK_METHOD static std::uint32_t toWord(T value) {
    std::uint32_t word = 0;
    __builtin_memcpy(&word, &value, sizeof value);
    return word;
  }

  T own;
};

/// The types that may follow `tt_l1_ptr`.
namespace l1 {
using uint32_t = Element<::std::uint32_t>;
using uint16_t = Element<::std::uint16_t>;
using uint8_t = Element<::std::uint8_t>;
using int32_t = Element<::std::int32_t>;
using int16_t = Element<::std::int16_t>;
using int8_t = Element<::std::int8_t>;
namespace std {
using l1::int16_t;
using l1::int32_t;
using l1::int8_t;
using l1::uint16_t;
using l1::uint32_t;
using l1::uint8_t;
} // namespace std
} // namespace l1

using Semaphore = volatile l1::uint32_t *;

TTK_API std::uint32_t address(const volatile void *pointer) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

} // namespace ttk

/// `volatile tt_l1_ptr uint32_t *` points to the core's memory.
#define tt_l1_ptr ::ttk::l1::
// clang-format off
#define tt_reg_ptr _Pragma("GCC error \"registers of the chip are not supported by the emulator\"")
// clang-format on

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

namespace tt {

#define TTK_PORTS(X)                                                           \
  X(0)                                                                         \
  X(1)                                                                         \
  X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)  \
      X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27)  \
          X(28) X(29) X(30) X(31)
#define TTK_PORT(n) c_##n = n,
enum CBIndex : std::uint8_t { TTK_PORTS(TTK_PORT) SIZE = 32 };
#undef TTK_PORT

/// Names of 2024.
enum CB : std::uint8_t {
  c_in0 = 0,
  c_in1,
  c_in2,
  c_in3,
  c_in4,
  c_in5,
  c_in6,
  c_in7,
  dataflow0 = 8,
  dataflow1,
  dataflow2,
  dataflow3,
  dataflow4,
  dataflow5,
  dataflow6,
  dataflow7,
  c_out0 = 16,
  c_out1,
  c_out2,
  c_out3,
  c_out4,
  c_out5,
  c_out6,
  c_out7,
  c_intermed0 = 24,
  c_intermed1,
  c_intermed2,
  c_intermed3,
  c_intermed4,
  c_intermed5,
  c_intermed6,
  c_intermed7,
};

} // namespace tt

enum class DataFormat : std::uint8_t {
  Float32,
  Float16,
  Float16_b,
  Bfp8,
  Bfp8_b,
  Bfp4,
  Bfp4_b,
  Bfp2,
  Bfp2_b,
  UInt32,
  UInt16,
  UInt8,
  Int32,
  Int8,
  Int16,
};

using uint = unsigned int;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// A compile-time argument. ttk/arguments.h, which follows the library, defines
/// it for each kernel.
template <std::uint32_t index> consteval std::uint32_t get_ct_arg();
#define get_compile_time_arg_val(index) get_ct_arg<index>()

namespace ttk {

template <typename T> TTK_API T toArgument(std::uint64_t value) {
  static_assert(sizeof(T) <= 4, "an argument has 32 bits");
  const auto word = static_cast<std::uint32_t>(value);
  T result;
  __builtin_memcpy(&result, &word, sizeof result);
  return result;
}

} // namespace ttk

template <typename T = std::uint32_t>
TTK_API T get_arg_val(std::uint32_t index, TTK_PLACE) {
  return ttk::toArgument<T>(ttk::issue(26, ttk_place, index));
}
/// The newer spelling, with a constant of `namespace args` as index.
template <typename T = std::uint32_t>
TTK_API T get_arg(std::uint32_t index, TTK_PLACE) {
  return get_arg_val<T>(index, ttk_place);
}
TTK_UNSUPPORTED(get_arg_addr)
TTK_UNSUPPORTED(get_common_arg_addr)

TTK_API DataFormat get_dataformat(std::uint32_t cb, TTK_PLACE) {
  return static_cast<DataFormat>(ttk::issue(45, ttk_place, cb));
}

//===----------------------------------------------------------------------===//
// Debugging aids
//===----------------------------------------------------------------------===//

#define ASSERT(condition, ...)                                                 \
  do {                                                                         \
    const ttk::Site ttk_site = ttk::siteAt(TTK_HERE);                          \
    ttk::Host *ttk_host = ttk::self();                                         \
    ttk_host->check(ttk_host, static_cast<bool>(condition), #condition,        \
                    &ttk_site);                                                \
  } while (false)
namespace ttk {
TTK_UNCOUNTED inline void setWaypoint(const char *name) {
  self()->waypoint = name;
}
} // namespace ttk

/// A place that debuggers and the watcher's log show.
#define WAYPOINT(name)                                                         \
  do {                                                                         \
    static_assert(sizeof(name) <= 5, "expected 4 letters");                    \
    ttk::setWaypoint(name);                                                    \
  } while (false)
/// Markers for tt-metal's profiler. They have no effect, since the emulator
/// reports the time of every instruction.
#define DeviceZoneScopedN(name)
#define DeviceZoneScopedMainN(name)
#define DeviceZoneScopedMainChildN(name)
#define DeviceZoneScoped
#define DeviceTimestampedData(name, data)
#define DeviceRecordEvent(id)

#include "ttk/print.h"

#include "ttk/instructions.h"

#include "ttk/objects.h"

#endif // TTK_CORE_H
