// SPDX-License-Identifier: MIT
// A plug-in of Oclgrind (liboclgrind-dev): counts the loads and stores of global memory by kernel and
// source line, those of them with only bits that are 0, and stores of the value that was there. At
// its end a program appends them to the file OCLGRIND_COUNTS:
//     line FILE KERNEL LINE LOADS STORES ZEROS SILENT
//     launches FILE KERNEL COUNT
// OCLGRIND_COUNTS; of a forked child, by the same name.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include <oclgrind/Context.h>
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/Program.h>
#include <oclgrind/WorkItem.h>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

namespace {

struct Sums {
  unsigned long loads = 0, stores = 0, zeros = 0, silent = 0;
};

bool is_zero(const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i])
      return false;
  return true;
}

// The name that the profiler gives to a source: a hash (FNV-1a).
std::string file_of(const std::string &source) {
  uint64_t hash = 0xcbf29ce484222325u;
  char name[16];

  for (unsigned char byte : source)
    hash = (hash ^ byte) * 0x100000001b3u;
  snprintf(name, sizeof(name), "%08x.cl", static_cast<unsigned>(hash));
  return name;
}

class Counts : public oclgrind::Plugin {
public:
  explicit Counts(const oclgrind::Context *context) : Plugin(context) {}

  void print() const {
    const char *path = getenv("OCLGRIND_COUNTS");
    FILE *file = path ? fopen(path, "a") : nullptr;

    if (!file)
      return;
    for (const auto &row : rows)
      fprintf(file, "line %s %u %lu %lu %lu %lu\n", row.first.first.c_str(),
              row.first.second, row.second.loads, row.second.stores,
              row.second.zeros, row.second.silent);
    for (const auto &launch : launches)
      fprintf(file, "launches %s %lu\n", launch.first.c_str(), launch.second);
    fclose(file);
  }

  bool isThreadSafe() const override { return false; }

  void kernelBegin(const oclgrind::KernelInvocation *invocation) override {
    const oclgrind::Kernel *launched = invocation->getKernel();

    kernel = file_of(launched->getProgram()->getSource()) + " " +
             launched->getName();
    launches[kernel]++;
  }

  void memoryLoad(const oclgrind::Memory *memory,
                  const oclgrind::WorkItem *item, size_t address,
                  size_t size) override {
    Sums *sums = find(memory, item);
    const void *at = sums ? memory->getPointer(address) : nullptr;

    if (!sums)
      return;
    sums->loads++;
    sums->zeros += at && is_zero(static_cast<const unsigned char *>(at), size);
  }

  void memoryStore(const oclgrind::Memory *memory,
                   const oclgrind::WorkItem *item, size_t address, size_t size,
                   const uint8_t *data) override {
    Sums *sums = find(memory, item);
    const void *at = sums ? memory->getPointer(address) : nullptr;

    if (!sums)
      return;
    sums->stores++;
    sums->zeros += is_zero(data, size);
    sums->silent += at && !memcmp(at, data, size);
  }

private:
  std::string kernel; // "FILE KERNEL"
  std::map<std::pair<std::string, unsigned>, Sums> rows;
  std::map<std::string, unsigned long> launches;

  // Constant memory is a part of global memory in Oclgrind: the pointer's type
  // tells.
  static bool is_global(const llvm::Instruction *instruction) {
    for (const llvm::Use &operand : instruction->operands()) {
      const llvm::Type *type = operand->getType();

      if (type->isPointerTy() &&
          type->getPointerAddressSpace() == oclgrind::AddrSpaceGlobal)
        return true;
    }
    return false;
  }

  Sums *find(const oclgrind::Memory *memory, const oclgrind::WorkItem *item) {
    const llvm::Instruction *instruction = item->getCurrentInstruction();
    const llvm::DebugLoc &place = instruction->getDebugLoc();

    if (memory->getAddressSpace() != oclgrind::AddrSpaceGlobal ||
        !is_global(instruction))
      return nullptr;
    return &rows[{kernel, place ? place.getLine() : 0}];
  }
};

// Programs do not always release their context, so it stays until they end.
Counts *counts;

void print_counts() { counts->print(); }

} // namespace

extern "C" void initializePlugins(oclgrind::Context *context) {
  if (!counts) {
    counts = new Counts(context);
    atexit(print_counts);
  }
  context->registerPlugin(counts);
}

extern "C" void releasePlugins(oclgrind::Context *context) {
  context->unregisterPlugin(counts);
}
