// DPRINT and DEVICE_PRINT. Every line becomes one of the run's prints.
#ifndef TTK_PRINT_H
#define TTK_PRINT_H

#include <bit>

struct ENDL {};
struct HEX {};
struct DEC {};
struct OCT {};
struct FIXED {};
struct DEFAULTFLOAT {};
struct SETW {
  constexpr SETW(int width, bool = true) : width(width) {}
  int width;
};
struct SETPRECISION {
  constexpr SETPRECISION(int digits) : digits(digits) {}
  int digits;
};
struct BF16 {
  constexpr BF16(std::uint16_t bits) : bits(bits) {}
  std::uint16_t bits;
};
struct F32 {
  constexpr F32(float value) : value(value) {}
  constexpr F32(std::uint32_t bits) : value(std::bit_cast<float>(bits)) {}
  float value;
};
struct U32 {
  constexpr U32(std::uint32_t value) : value(value) {}
  std::uint32_t value;
};

/// Rows h0 to h1 and columns w0 to w1 of a tile, with steps.
struct SliceRange {
  std::uint8_t h0, h1, hs, w0, w1, ws;

  static constexpr SliceRange hw0_32_16() { return {0, 32, 16, 0, 32, 16}; }
  static constexpr SliceRange hw0_32_8() { return {0, 32, 8, 0, 32, 8}; }
  static constexpr SliceRange hw0_32_4() { return {0, 32, 4, 0, 32, 4}; }
  static constexpr SliceRange hw041() { return {0, 4, 1, 0, 4, 1}; }
  static constexpr SliceRange h0_w0_32() { return {0, 1, 1, 0, 32, 1}; }
  static constexpr SliceRange h0_32_w0() { return {0, 32, 1, 0, 1, 1}; }
};
enum dprint_tslice_cb_t { TSLICE_INPUT_CB, TSLICE_OUTPUT_CB };
enum dprint_tslice_ptr_t { TSLICE_RD_PTR, TSLICE_WR_PTR };

/// Whether a statement is for the packer, which prints from the write pointer.
inline constexpr bool ttk_packs = false;

namespace ttk {

/// The slice of a tile, to print.
struct TileSlice {
  Slice slice;
  Site site;

  TTK_METHOD TileSlice from(bool writes) const {
    TileSlice result = *this;
    result.slice.writes = writes;
    return result;
  }
};

template <bool packs>
TTK_API TileSlice tileSlice(std::uint32_t cb, std::uint32_t tile,
                            SliceRange range, bool endsRows = true,
                            bool untilized = true, TTK_PLACE) {
  return {{cb,
           tile,
           {range.h0, range.h1, range.hs},
           {range.w0, range.w1, range.ws},
           packs,
           endsRows,
           untilized},
          siteAt(ttk_place)};
}
template <bool packs>
TTK_API TileSlice tileSlice(std::uint32_t cb, std::uint32_t tile,
                            SliceRange range, dprint_tslice_cb_t,
                            dprint_tslice_ptr_t pointer, bool endsRows = true,
                            bool untilized = true, TTK_PLACE) {
  return tileSlice<packs>(cb, tile, range, endsRows, untilized, ttk_place)
      .from(pointer == TSLICE_WR_PTR);
}

class Printer {
public:
  TTK_UNCOUNTED const Printer &operator<<(const char *text) const {
    return add(text, __builtin_strlen(text));
  }
  TTK_UNCOUNTED const Printer &operator<<(char letter) const {
    return add(&letter, 1);
  }
  TTK_UNCOUNTED const Printer &operator<<(bool value) const {
    return add(value ? "1" : "0", 1);
  }
  TTK_UNCOUNTED const Printer &operator<<(float value) const {
    char text[64];
    return add(text, printed(__builtin_snprintf(text, sizeof text,
                                                fixed_ ? "%*.*f" : "%*.*g",
                                                takeWidth(), digits_, value)));
  }
  TTK_UNCOUNTED const Printer &operator<<(double value) const {
    return *this << static_cast<float>(value);
  }
  template <typename T>
  requires(std::is_integral_v<T> ||
           std::is_enum_v<T>) TTK_UNCOUNTED const Printer &
  operator<<(T value) const {
    char text[64];
    const auto number = static_cast<long long>(value);
    if (base_ == 10)
      return add(text, printed(__builtin_snprintf(text, sizeof text, "%*lld",
                                                  takeWidth(), number)));
    // Only the bits of its own type.
    const unsigned long long bits = static_cast<unsigned long long>(number) &
                                    (~0ull >> (64 - 8 * sizeof(T)));
    return add(text, printed(__builtin_snprintf(text, sizeof text,
                                                base_ == 16 ? "%*llx" : "%*llo",
                                                takeWidth(), bits)));
  }
  template <typename T>
  TTK_UNCOUNTED const Printer &
  operator<<(const volatile Element<T> &element) const {
    return *this << static_cast<T>(element);
  }
  TTK_UNCOUNTED const Printer &operator<<(const volatile void *pointer) const {
    char text[32];
    return add(text, printed(__builtin_snprintf(text, sizeof text, "0x%x",
                                                address(pointer))));
  }
  const Printer &operator<<(BF16 value) const {
    return *this << std::bit_cast<float>(std::uint32_t(value.bits) << 16);
  }
  const Printer &operator<<(F32 value) const { return *this << value.value; }
  const Printer &operator<<(U32 value) const { return *this << value.value; }
  TTK_UNCOUNTED const Printer &operator<<(const TileSlice &tile) const {
    Host *host = self();
    host->slice(host, &tile.slice, &tile.site);
    return *this;
  }
  TTK_UNCOUNTED const Printer &operator<<(ENDL) const { return add("\n", 1); }
  const Printer &operator<<(HEX) const { return set(base_, 16); }
  const Printer &operator<<(DEC) const { return set(base_, 10); }
  const Printer &operator<<(OCT) const { return set(base_, 8); }
  const Printer &operator<<(FIXED) const { return set(fixed_, true); }
  const Printer &operator<<(DEFAULTFLOAT) const { return set(fixed_, false); }
  const Printer &operator<<(SETW width) const {
    return set(width_, width.width);
  }
  const Printer &operator<<(SETPRECISION digits) const {
    return set(digits_, digits.digits);
  }

  /// Prints `format` with the arguments in place of its {}.
  template <typename... Arguments>
  TTK_UNCOUNTED void format(const char *text,
                            const Arguments &...arguments) const {
    ((text = next(text, arguments)), ...);
    *this << text;
  }

private:
  // Uses no functions of the standard library, which would be counted.
  TTK_UNCOUNTED const Printer &add(const char *text, std::size_t size) const {
    Host *host = self();
    std::size_t begin = 0;
    for (std::size_t i = 0; i < size; ++i)
      if (text[i] == '\n') {
        host->print(host, text + begin, i - begin, true);
        begin = i + 1;
      }
    host->print(host, text + begin, size - begin, false);
    return *this;
  }
  template <typename T>
  TTK_UNCOUNTED const char *next(const char *text, const T &argument) const {
    std::size_t begin = 0;
    while (text[begin] && text[begin] != '{')
      ++begin;
    std::size_t end = begin;
    while (text[end] && text[end] != '}')
      ++end;
    add(text, begin);
    if (!text[end])
      return text + begin;
    base_ = text[end - 1] == 'x' ? 16 : text[end - 1] == 'o' ? 8 : 10;
    *this << argument;
    base_ = 10;
    return text + end + 1;
  }
  template <typename T>
  TTK_METHOD const Printer &set(T &member, T value) const {
    member = value;
    return *this;
  }
  TTK_METHOD int takeWidth() const {
    const int width = width_;
    width_ = 0;
    return width;
  }
  TTK_METHOD static std::size_t printed(int count) {
    return count < 0 ? 0 : count > 63 ? 63 : static_cast<std::size_t>(count);
  }

  mutable int base_ = 10, width_ = 0, digits_ = 6;
  mutable bool fixed_ = false;
};

} // namespace ttk

#define DPRINT ttk::Printer()
#define DPRINT_MATH(statement) statement
#define DPRINT_PACK(statement)                                                 \
  do {                                                                         \
    constexpr bool ttk_packs = true;                                           \
    static_cast<void>(ttk_packs);                                              \
    statement;                                                                 \
  } while (false)
#define DPRINT_UNPACK(statement) statement
#define DPRINT_DATA0(statement)                                                \
  do {                                                                         \
    if (noc_index == 0) {                                                      \
      statement;                                                               \
    }                                                                          \
  } while (false)
#define DPRINT_DATA1(statement)                                                \
  do {                                                                         \
    if (noc_index == 1) {                                                      \
      statement;                                                               \
    }                                                                          \
  } while (false)
#define DEVICE_PRINT(...) ttk::Printer().format(__VA_ARGS__)
/// TSLICE(cb, tile, SliceRange, [TSLICE_INPUT_CB, TSLICE_RD_PTR,] rows are
/// lines, untilized): numbers of a tile of a circular buffer, from the read
/// pointer or, in DPRINT_PACK, from the write pointer.
#define TSLICE(...) ttk::tileSlice<ttk_packs>(__VA_ARGS__)
TTK_UNSUPPORTED(TileSlice)

#endif // TTK_PRINT_H
