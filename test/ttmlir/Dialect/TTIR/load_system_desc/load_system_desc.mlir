// RUN: ttmlir-opt --ttir-load-system-desc %s | FileCheck %s --check-prefix=KEEP
// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=p150 -o %t.ttsys
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" %s | FileCheck %s --check-prefix=REPLACE
// RUN: ttmlir-opt --ttir-load-system-desc --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// A description stays, unless a path names another.
// REMARK-DAG: remark: [Passed] System | Category:ttir-load-system-desc{{.*}} | Op=builtin.module, Reason="compiles for the module's own", Rejected="no file: path is not given"

// KEEP: #system_desc = #tt.system_desc<[{arch = <grayskull>, grid = 1x1,
// REPLACE: #system_desc = #tt.system_desc<[{arch = <blackhole>, grid = 10x13,
#chip = #tt<chip_desc{arch = <grayskull>, grid = 1x1, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0]>} {}
