#include "target/Common/Module.h"

#include "ttmlir/Version.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace mlir;
using namespace mlir::tt;

std::string serialization::printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().assumeVerified());
  return text;
}

::tt::target::Version serialization::getVersion() {
  return {TTMLIR_VERSION_MAJOR, TTMLIR_VERSION_MINOR, TTMLIR_VERSION_PATCH};
}

const char *serialization::getGitHash() { return TTMLIR_GIT_HASH; }

::flatbuffers::Verifier
serialization::makeVerifier(::flatbuffers::FlatBufferBuilder &fbb) {
  // Shared tables are visited once for each use, so the number of visits is
  // not bounded by the number of tables; the buffer is our own.
  ::flatbuffers::Verifier::Options options;
  options.max_tables = std::numeric_limits<uint32_t>::max();
  return ::flatbuffers::Verifier(fbb.GetBufferPointer(), fbb.GetSize(),
                                 options);
}

FlatbufferBytes serialization::release(::flatbuffers::FlatBufferBuilder &fbb) {
  size_t size = fbb.GetSize();
  auto owner = std::make_shared<::flatbuffers::DetachedBuffer>(fbb.Release());
  return FlatbufferBytes{std::shared_ptr<void>(owner, owner->data()), size};
}

llvm::Error mlir::tt::writeFile(StringRef path, StringRef contents) {
  // A temporary file in the same directory, which the rename makes visible.
  using llvm::sys::fs::TempFile;
  llvm::Expected<TempFile> file = TempFile::create(
      path + ".tmp-%%%%%%", llvm::sys::fs::all_read | llvm::sys::fs::all_write);
  if (!file)
    return llvm::createStringError(
        "Failed to open file: " + path +
        ". Error: " + llvm::toString(file.takeError()));
  std::error_code problem;
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    os << contents;
    os.flush();
    problem = os.error();
    os.clear_error();
  }
  llvm::Error error = llvm::errorCodeToError(problem);
  if (error)
    llvm::consumeError(file->discard());
  else
    error = file->keep(path);
  if (!error)
    return error;
  return llvm::createStringError(
      "Failed to write flatbuffer to file: " + path +
      ". Error: " + llvm::toString(std::move(error)));
}
