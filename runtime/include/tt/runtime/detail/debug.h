// Debug switches of the runtime. The emulator has no kernels on disk and no
// asynchronous mode, so both are only reported back.
#ifndef TT_RUNTIME_DETAIL_DEBUG_H
#define TT_RUNTIME_DETAIL_DEBUG_H

#include <ostream>

namespace tt::runtime::debug {

struct Env {
  static Env get(bool loadKernelsFromDisk = false,
                 bool disableAsyncTTNN = false) {
    return Env{loadKernelsFromDisk, disableAsyncTTNN};
  }

  bool loadKernelsFromDisk = false;
  bool disableAsyncTTNN = false;
};

inline std::ostream &operator<<(std::ostream &os, Env const &env) {
  return os << "Env{\n\tloadKernelsFromDisk: " << env.loadKernelsFromDisk
            << ",\n\tdisableAsyncTTNN: " << env.disableAsyncTTNN << "\n}";
}

} // namespace tt::runtime::debug

#endif // TT_RUNTIME_DETAIL_DEBUG_H
