// Flatbuffer to JSON text through the binary schemas embedded at build time.
#include "common/file.h"

#include "flatbuffers/idl.h"
#include "ttmlir/Target/Common/system_desc_bfbs_generated.h"
#include "ttmlir/Target/TTNN/binary_bfbs_generated.h"

namespace tt::runtime {

std::string toJson(const LoadedFile &file) {
  flatbuffers::IDLOptions options;
  options.size_prefixed = true;
  options.strict_json = true;
  options.output_default_scalars_in_json = true;
  flatbuffers::Parser parser(options);
  const bool ttnn = file.kind == FileKind::Ttnn;
  using Ttnn = ::tt::target::ttnn::TTNNBinaryBinarySchema;
  using System = ::tt::target::SystemDescRootBinarySchema;
  if (!parser.Deserialize(ttnn ? Ttnn::data() : System::data(),
                          ttnn ? Ttnn::size() : System::size()))
    raise(ErrorCategory::Internal, "failed to deserialize schema");
  std::string text;
  if (const char *error =
          flatbuffers::GenerateText(parser, file.data(), &text))
    raise(ErrorCategory::Format, "failed to generate JSON: ", error);
  return text;
}

} // namespace tt::runtime
