// Host programs of the shapes of tt-metal's examples: `programs <name>
// <folder>`.
#include "eltwise.h"
#include "matmul.h"
#include "movement.h"

#include <map>

int main(int argc, char **argv) {
  const std::map<std::string, void (*)(const Folder &)> programs = {
      {"loopback", loopback},
      {"eltwise_binary", eltwise_binary},
      {"eltwise_sfpu", eltwise_sfpu},
      {"vecadd_multi_core", vecadd_multi_core},
      {"matmul_single_core", matmul_single_core},
      {"matmul_multi_core", matmul_multi_core},
      {"matmul_reuse", matmul_reuse},
      {"matmul_multicast", matmul_multicast},
      {"noc_tile_transfer", noc_tile_transfer},
      {"shard_data_rm", shard_data_rm},
      {"pad", pad},
  };
  TT_FATAL(argc == 3);
  programs.at(argv[1])({argv[2]});
  return 0;
}
