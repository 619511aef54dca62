//===- The number formats ------------------------------------------------===//
//
// What is known of a format once: its names, its size and its bits. From this
// table come the enumeration of the 'tt' dialect and that of the files, the
// tables of compiler, runtime and Python package, and the page of the reference.
//
// Nothing of MLIR is included, so that a runtime alone is built from it, too.

#ifndef TTMLIR_FORMATS_TD
#define TTMLIR_FORMATS_TD

/// A format of elements. Of block floats, 16 elements of a face row share an
/// exponent, a byte of its own, so that they exist in 32x32 tiles only.
class Format<string name, string ir, string enumerator, string kernel,
             string library, string element, string numpy, int tileBytes,
             int exponentBits, string rounding, string holder = name> {
  /// The name in Python, on the command line and in messages of the runtime;
  /// in capitals, the enumerator of the runtime's `DType`.
  string formatName = name;
  /// In types and attributes of the IR: `!tt.tile<32x32, bfp_bf8>`.
  string irName = ir;
  /// In the schema, in the compiler and in Python: `DataType.BFP_BFloat8`.
  string enumeratorName = enumerator;
  /// In the C++ of kernels: `DataFormat::Bfp8_b`.
  string kernelName = kernel;
  /// In the C++ of library calls: `ttnn::DataType::BFLOAT8_B`.
  string libraryName = library;
  /// The type of an element in the IR, where a signless integer is unsigned.
  string elementType = element;
  /// The type of an array that holds the elements.
  string numpyName = numpy;
  int bytes = tileBytes;
  /// 0 for integers.
  int exponent = exponentBits;
  /// How a number is brought to the format.
  string roundingText = rounding;
  /// The plain format that has all values: the format itself, but for block
  /// floats.
  string holderName = holder;

  bit block = !ne(holder, name);
  bit integer = !eq(exponentBits, 0);
  /// Bytes of the shared exponents of a tile.
  int exponentBytes = !if(block, 64, 0);
  /// Bits of an element in a tile, without its share of an exponent.
  int width = !div(!sub(tileBytes, exponentBytes), 128);
  /// Bits of the magnitude of a block float, or of a float behind its point.
  int mantissa = !cond(integer: 0,
                       block: !sub(width, 1),
                       true: !sub(width, !add(exponentBits, 1)));
}

defvar RoundingNearest = "to nearest; ties to even on the host, away from zero in the packer";
defvar RoundingShared =
    "by the largest exponent of the 16, to nearest; ties to even on the host, "
    "away from zero in the packer; saturates";
defvar RoundingInteger =
    "from floats towards zero, saturates, NaN becomes 0; from integers the low bits";

class FloatFormat<string name, string enumerator, string kernel, string library,
            string numpy, int tileBytes, int exponentBits>
    : Format<name, name, enumerator, kernel, library, name, numpy, tileBytes,
             exponentBits, RoundingNearest>;

class BlockFormat<string name, string ir, string enumerator, string kernel,
                 string library, Format holder, int tileBytes>
    : Format<name, ir, enumerator, kernel, library, holder.elementType,
             holder.numpyName, tileBytes, holder.exponent, RoundingShared,
             holder.formatName>;

class IntegerFormat<string name, string ir, string enumerator, string library,
              string element, string numpy, int tileBytes>
    : Format<name, ir, enumerator, enumerator, library, element, numpy,
             tileBytes, 0, RoundingInteger>;

defvar FormatF16 =
    FloatFormat<name = "f16", enumerator = "Float16", kernel = "Float16",
                library = "FLOAT16", numpy = "float16", tileBytes = 2048,
                exponentBits = 5>;
defvar FormatBF16 =
    FloatFormat<name = "bf16", enumerator = "BFloat16", kernel = "Float16_b",
                library = "BFLOAT16", numpy = "bfloat16", tileBytes = 2048,
                exponentBits = 8>;

// Bytes of a tile with its 64 exponents.
defvar Bfp8TileBytes = 1088;
defvar Bfp4TileBytes = 576;
defvar Bfp2TileBytes = 320;

/// In the order of their numbers in files: what is new comes last.
defvar FormatRows = [
  FloatFormat<name = "f32", enumerator = "Float32", kernel = "Float32",
        library = "FLOAT32", numpy = "float32", tileBytes = 4096,
        exponentBits = 8>,
  FormatF16,
  FormatBF16,
  BlockFormat<name = "bfp8", ir = "bfp_f8", enumerator = "BFP_Float8",
             kernel = "Bfp8", library = "BFLOAT8", holder = FormatF16,
             tileBytes = Bfp8TileBytes>,
  BlockFormat<name = "bfp8_b", ir = "bfp_bf8", enumerator = "BFP_BFloat8",
             kernel = "Bfp8_b", library = "BFLOAT8_B", holder = FormatBF16,
             tileBytes = Bfp8TileBytes>,
  BlockFormat<name = "bfp4", ir = "bfp_f4", enumerator = "BFP_Float4",
             kernel = "Bfp4", library = "BFLOAT4", holder = FormatF16,
             tileBytes = Bfp4TileBytes>,
  BlockFormat<name = "bfp4_b", ir = "bfp_bf4", enumerator = "BFP_BFloat4",
             kernel = "Bfp4_b", library = "BFLOAT4_B", holder = FormatBF16,
             tileBytes = Bfp4TileBytes>,
  BlockFormat<name = "bfp2", ir = "bfp_f2", enumerator = "BFP_Float2",
             kernel = "Bfp2", library = "BFLOAT2", holder = FormatF16,
             tileBytes = Bfp2TileBytes>,
  BlockFormat<name = "bfp2_b", ir = "bfp_bf2", enumerator = "BFP_BFloat2",
             kernel = "Bfp2_b", library = "BFLOAT2_B", holder = FormatBF16,
             tileBytes = Bfp2TileBytes>,
  IntegerFormat<name = "u32", ir = "u32", enumerator = "UInt32", library = "UINT32",
          element = "i32", numpy = "uint32", tileBytes = 4096>,
  IntegerFormat<name = "u16", ir = "u16", enumerator = "UInt16", library = "UINT16",
          element = "i16", numpy = "uint16", tileBytes = 2048>,
  IntegerFormat<name = "u8", ir = "u8", enumerator = "UInt8", library = "UINT8",
          element = "i8", numpy = "uint8", tileBytes = 1024>,
  IntegerFormat<name = "i32", ir = "si32", enumerator = "Int32", library = "INT32",
          element = "si32", numpy = "int32", tileBytes = 4096>,
  IntegerFormat<name = "i8", ir = "si8", enumerator = "Int8", library = "INT8",
          element = "si8", numpy = "int8", tileBytes = 1024>,
  IntegerFormat<name = "i16", ir = "si16", enumerator = "Int16", library = "INT16",
          element = "si16", numpy = "int16", tileBytes = 2048>
];

/// For what is generated from the table.
def FormatTable {
  list<Format> rows = FormatRows;
}

#endif
