// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.missing" %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: rm -f %t.pipe && mkfifo %t.pipe
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.pipe" %s 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer -o %t.ttsys
// RUN: %python %S/Inputs/mutate_ttsys.py %t.ttsys
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys.short" %s 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys.cut" %s 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys.foreign" %s 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys.broken" %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys.version" %s 2>&1 | FileCheck %s --check-prefix=VERSION
// Files that are no system description of this version.

// MISSING: error: system description '{{.*}}.missing': expected a readable file, found: No such file or directory
// PIPE: error: system description '{{.*}}.pipe': expected a regular file
// SHORT: error: system description '{{.*}}.short': expected a system description of at least 12 bytes, found 7
// CUT: error: system description '{{.*}}.cut': expected {{[0-9]+}} bytes, as the size prefix says, found {{[0-9]+}}
// FOREIGN: error: system description '{{.*}}.foreign': expected the file identifier 'TTSY', found 'TTNN'
// BROKEN: error: system description '{{.*}}.broken': expected a well-formed flatbuffer, found broken offsets or tables
// VERSION: error: system description '{{.*}}.version': expected version {{[0-9.]+}}x, found 9.8.{{[0-9]+}}
module {}
