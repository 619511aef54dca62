// The arguments of one kernel, which its options define. This is the only part
// of the library that differs between kernels, so that the rest can be
// compiled in advance.
#ifndef TTK_ARGUMENTS_H
#define TTK_ARGUMENTS_H

#include "ttk/core.h"

/// The index of the kernel's first common argument in those of the program.
#ifndef TTK_COMMON_ARGS
#define TTK_COMMON_ARGS 0
#endif
#ifndef TTK_COMPILE_ARGS
#define TTK_COMPILE_ARGS
#endif
#ifndef TTK_NAMED_COMPILE_ARGS
#define TTK_NAMED_COMPILE_ARGS
#endif

namespace ttk {

template <typename... Numbers> consteval auto words(Numbers... numbers) {
  return std::array<std::uint32_t, sizeof...(Numbers)>{
      static_cast<std::uint32_t>(numbers)...};
}

struct NamedArgument {
  const char *name;
  std::uint32_t value;

  consteval bool is(const char *text, std::size_t size) const {
    std::size_t i = 0;
    while (i < size && name[i] && name[i] == text[i])
      ++i;
    return i == size && !name[i];
  }
};
inline constexpr NamedArgument kNamedArguments[] = {
    TTK_NAMED_COMPILE_ARGS{"", 0}};

/// Not constexpr, so that an error of the compiler contains its name.
inline void kernel_was_not_given_a_compile_time_argument_of_this_name() {}

consteval std::uint32_t namedArgument(const char *name, std::size_t size) {
  for (const NamedArgument &argument : kNamedArguments)
    if (size && argument.is(name, size))
      return argument.value;
  kernel_was_not_given_a_compile_time_argument_of_this_name();
  return 0;
}

} // namespace ttk

inline constexpr auto kernel_compile_time_args = ttk::words(TTK_COMPILE_ARGS);

template <std::uint32_t index> consteval std::uint32_t get_ct_arg() {
  static_assert(index < kernel_compile_time_args.size(),
                "the kernel was not given a compile-time argument of this "
                "index");
  return kernel_compile_time_args[index];
}

consteval std::uint32_t get_named_compile_time_arg_val(const char *name) {
  return ttk::namedArgument(name, __builtin_strlen(name));
}
/// For a std::string_view, without its header.
template <typename Text>
consteval std::uint32_t
get_named_compile_time_arg_val(const Text &name) requires requires {
  ttk::namedArgument(name.data(), name.size());
}
{ return ttk::namedArgument(name.data(), name.size()); }

template <typename T = std::uint32_t>
TTK_API T get_common_arg_val(std::uint32_t index, TTK_PLACE) {
  return ttk::toArgument<T>(ttk::issue(27, ttk_place, TTK_COMMON_ARGS + index));
}

#endif // TTK_ARGUMENTS_H
