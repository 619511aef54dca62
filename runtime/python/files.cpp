#include "bindings.h"

#include "tt/runtime/runtime.h"
#include "tt/runtime/types.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace tt::runtime::python {
namespace {

Binary loadBinaryFromCapsule(nb::capsule capsule) {
  // The compiler's capsule holds a shared pointer to the buffer; its bytes
  // begin with their number, which the loader checks.
  auto *pointer = static_cast<std::shared_ptr<void> *>(capsule.data());
  if (!pointer || !*pointer)
    raise(ErrorCategory::Argument,
          "expected a capsule that holds a flatbuffer, found an empty one");
  return Binary::loadFromHandle(*pointer);
}

template <typename Class> Class fromBytes(nb::bytes bytes) {
  return Class::loadFromMemory(bytes.c_str(), bytes.size());
}

} // namespace

void bindFiles(nb::module_ &m) {
  nb::class_<Flatbuffer>(m, "Flatbuffer", "A loaded and verified file.")
      .def_prop_ro("version", &Flatbuffer::getVersion,
                   "Version of the compiler that wrote it: major.minor.patch.")
      .def_prop_ro(
          "ttmlir_git_hash",
          [](const Flatbuffer &self) {
            return std::string(self.getTTMLIRGitHash());
          },
          "Revision of that compiler.")
      .def_prop_ro(
          "file_identifier",
          [](const Flatbuffer &self) {
            return std::string(self.getFileIdentifier());
          },
          "TTNN, TTM0 or TTSY.")
      .def("as_json", &Flatbuffer::asJson,
           "The content as JSON with the names of the schema.")
      .def(
          "store",
          [](const Flatbuffer &self, const std::string &path) {
            self.store(path.c_str());
          },
          "path"_a, "Writes the file; nothing is left at `path` if that fails.")
      .def(
          "to_bytes",
          [](const Flatbuffer &self) {
            return nb::bytes(self.data(), self.size());
          },
          "The bytes of the file.");

  nb::class_<SystemDesc, Flatbuffer>(m, "SystemDesc",
                                     "Description of a system (.ttsys).");

  nb::class_<Binary, Flatbuffer>(m, "Binary", "Compiled programs (.ttnn).")
      .def_prop_ro("num_programs", &Binary::getNumPrograms)
      .def(
          "get_program_name",
          [](const Binary &self, std::uint32_t index) {
            return std::string(self.getProgramName(index));
          },
          "program_index"_a)
      .def("get_program_inputs", &Binary::getProgramInputs, "program_index"_a,
           "Shapes and data types of the inputs.")
      .def("get_program_outputs", &Binary::getProgramOutputs,
           "program_index"_a, "Shapes and data types of the outputs.");

  m.def(
      "load_from_path",
      [](const std::string &path) {
        return Flatbuffer::loadFromPath(path.c_str());
      },
      "path"_a, "Loads and verifies any file of the compiler.");
  m.def(
      "load_binary_from_path",
      [](const std::string &path) { return Binary::loadFromPath(path.c_str()); },
      "path"_a, "Loads and verifies compiled programs.");
  m.def("load_binary_from_bytes", fromBytes<Binary>, "data"_a,
        "The same from the bytes of a file.");
  m.def("load_binary_from_capsule", loadBinaryFromCapsule, "capsule"_a,
        "The same from what ttmlir.passes.ttnn_to_flatbuffer_binary returns.");
  m.def(
      "load_system_desc_from_path",
      [](const std::string &path) {
        return SystemDesc::loadFromPath(path.c_str());
      },
      "path"_a, "Loads and verifies the description of a system.");
  m.def("load_system_desc_from_bytes", fromBytes<SystemDesc>, "data"_a,
        "The same from the bytes of a file.");
  m.def("get_default_system_desc", &system_desc::getDefaultSystemDesc,
        "target"_a, "Description of a named system.");
  m.def("get_default_targets", &system_desc::getDefaultTargets,
        "The names of the systems that come with the emulator.");
}

} // namespace tt::runtime::python
