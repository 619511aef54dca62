#include "emulator/native_kernel.h"

#include "tt/runtime/error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace tt::runtime::emulator {

NativeObject::NativeObject(const std::string &path)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!handle_)
    raise(ErrorCategory::File, "cannot load the kernel '", path,
          "': ", dlerror());
  info_ =
      static_cast<const ttk::KernelInfo *>(dlsym(handle_, "ttk_kernel_info"));
  link_map *map = nullptr;
  const bool found = info_ && dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0;
  const std::uint32_t version = found ? info_->version : 0;
  if (found && version == ttk::kAbiVersion) {
    base_ = std::uintptr_t(map->l_addr);
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; ++entry)
      usesHost_ |= entry->d_tag == DT_NEEDED;
    return;
  }
  dlclose(handle_);
  if (!found)
    raise(ErrorCategory::File, "'", path, "' is not the object of a kernel");
  raise(ErrorCategory::Version, "expected the object of a kernel of version ",
        ttk::kAbiVersion, ", found '", path, "' of version ", version);
}

NativeObject::~NativeObject() { dlclose(handle_); }

namespace {

/// Copies the file first: the loader would load the same file only once, with
/// shared variables.
std::shared_ptr<const NativeObject> loadCopy(const std::string &path) {
  std::string name =
      (std::filesystem::temp_directory_path() / "ttmlir-kernel-XXXXXX")
          .string();
  const int file = mkstemp(name.data());
  if (file < 0)
    raise(ErrorCategory::File, "cannot create a file like '", name, "'");
  close(file);
  std::shared_ptr<const NativeObject> object;
  std::error_code error;
  std::filesystem::copy_file(
      path, name, std::filesystem::copy_options::overwrite_existing, error);
  try {
    if (error)
      raise(ErrorCategory::File, "cannot copy '", path, "' to '", name,
            "': ", error.message());
    object = std::make_shared<const NativeObject>(name);
  } catch (...) {
    unlink(name.c_str());
    throw;
  }
  unlink(name.c_str()); // it stays loaded
  return object;
}

Accessor accessorOf(const NativeTensorUse &from) {
  Accessor to;
  to.dram = from.dram;
  to.sharded = from.shardRows != 0;
  to.pageSize = from.pageSize;
  to.alignedPageSize = from.alignedPageSize;
  to.rows = from.rows;
  to.cols = from.columns;
  to.shardRows = from.shardRows;
  to.shardCols = from.shardColumns;
  for (const NativeCores &cores : from.cores)
    to.cores.push_back({std::int32_t(cores.y), std::int32_t(cores.x),
                        std::int32_t(cores.height), std::int32_t(cores.width)});
  return to;
}

/// Each use becomes an instruction with the circular buffer as operands.
std::shared_ptr<const KernelProgram>
programOf(const ttk::KernelInfo &info,
          const std::vector<NativeTensorUse> &tensors) {
  auto program = std::make_shared<KernelProgram>();
  program->registers = 32; // operands and a result
  program->strings.push_back("");
  for (const NativeTensorUse &tensor : tensors)
    program->accessors.push_back(accessorOf(tensor));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;
  for (const ttk::Use *use = info.usesBegin; use != info.usesEnd; ++use)
    if (use->opcode <= std::uint32_t(Opcode::MAX)) {
      if (use->port < kPorts)
        uses.emplace_back(use->opcode, use->port);
      else // any
        for (std::uint32_t port = 0; port < kPorts; ++port)
          uses.emplace_back(use->opcode, port);
    }
  std::sort(uses.begin(), uses.end());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  for (const auto &[opcode, port] : uses) {
    const auto first = std::uint32_t(program->operands.size());
    const auto count =
        std::uint16_t(signatureOf(Opcode(opcode)).operands.size());
    program->instructions.push_back({Opcode(opcode), count, 0, first, 0});
    program->operands.insert(program->operands.end(),
                             std::max<std::size_t>(count, 1), port);
  }
  program->instructions.push_back({Opcode::ret, 0, kNoResult, 0, 0});
  if (program->operands.empty())
    program->operands.push_back(0);
  return program;
}

} // namespace

NativeKernel::NativeKernel(NativeKernelUse use,
                           const std::vector<NativeTensorUse> &tensors)
    : use_(std::move(use)),
      object_(std::make_shared<const NativeObject>(use_.path)),
      program_(programOf(object_->info(), tensors)) {
  for (const NativeTensorUse &tensor : tensors)
    addresses_.push_back(tensor.address);
}

std::shared_ptr<const NativeObject> NativeKernel::objectForThread() const {
  return use_.hasVariables ? loadCopy(use_.path) : object_;
}

std::string NativeKernel::describe(const ttk::Site &site,
                                   const NativeObject &object) const {
  const auto text = [](const std::string &file, std::uint32_t line) {
    return file + ":" + std::to_string(line);
  };
  if (site.file)
    return text(site.file, site.line);
  if (!site.address)
    return "";
  // A return address is after the call, possibly on another line.
  const std::uint64_t offset =
      reinterpret_cast<std::uintptr_t>(site.address) - object.base() - 1;
  auto after = std::upper_bound(use_.lines.begin(), use_.lines.end(), offset,
                                [](std::uint64_t value, const NativeLine &l) {
                                  return value < l.offset;
                                });
  if (after == use_.lines.begin())
    return "";
  --after;
  return text(after->file, after->line);
}

std::uint32_t NativeKernel::find(std::uint32_t address, std::uint32_t pageBytes,
                                 bool dram) const {
  std::uint32_t i = 0;
  for (; i < addresses_.size(); ++i)
    if (addresses_[i] == address && program_->accessors[i].dram == dram &&
        program_->accessors[i].pageSize == pageBytes)
      break;
  return i;
}

} // namespace tt::runtime::emulator
