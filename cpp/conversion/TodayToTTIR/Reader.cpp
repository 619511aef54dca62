#include "conversion/TodayToTTIR/Reader.h"

#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::today;

/// Ops that a program may have when its functions stand where they are called.
static constexpr size_t kMaxOps = 1 << 20;
static constexpr size_t kMaxCallDepth = 200;

/// The extents of the mesh that a module says it is for, for
/// ttir-implicit-device.
static constexpr StringLiteral kMeshShape = "tt.mesh_shape";

/// A tensor without contents: a destination, or zeros where it is read.
static bool isEmptyOp(Operation *op) {
  return op && (op->getName().getStringRef() == "ttir.empty" ||
                isa<tensor::EmptyOp>(op));
}

/// The extents of the first mesh in `#ttcore.meshes<[<"mesh" = 1x2>]>`.
static std::optional<SmallVector<int64_t>> readMesh(Attribute attribute) {
  std::optional<StringRef> body = bodyOf(attribute, "meshes");
  if (!body)
    return std::nullopt;
  StringRef text = body->split('=').second.take_until(
      [](char c) { return c == '>' || c == ','; });
  SmallVector<StringRef> parts;
  text.trim().split(parts, 'x');
  SmallVector<int64_t> extents;
  for (StringRef part : parts)
    if (part.trim().getAsInteger(10, extents.emplace_back()) ||
        extents.back() <= 0)
      return std::nullopt;
  return extents;
}

/// The functions of a module and of those in it.
void Reader::collect(Operation *module, bool onHost) {
  problems.drop(module->getDiscardableAttrDictionary(), module->getLoc());
  if (auto mesh = readMesh(module->getAttr("ttcore.meshes")))
    this->module.get()->setAttr(kMeshShape, ops.getDenseI64ArrayAttr(*mesh));
  for (Region &region : module->getRegions())
    for (Block &block : region)
      for (Operation &op : block) {
        StringRef name = op.getName().getStringRef();
        if (auto function = dyn_cast<func::FuncOp>(op)) {
          // The parser has not checked it.
          if (failed(verify(&op, /*verifyRecursively=*/false))) {
            isBroken = true;
            continue;
          }
          (onHost ? hostFunctions : functions)
              .insert({function.getSymName(), function});
          if (!onHost && !function.isDeclaration() && function.isPublic())
            programs.push_back(function);
        } else if (isa<ModuleOp>(op)) {
          collect(&op, onHost);
        } else if (name == "ttcore.device_module") {
          collect(&op, onHost);
        } else if (name == "ttcore.cpu_module") {
          collect(&op, /*onHost=*/true);
        } else if (name != "ttcore.device") {
          add(&op, "expected functions in a module");
        }
      }
}

OwningOpRef<ModuleOp> Reader::run() {
  module = ModuleOp::create(import.location(old.getLoc()), old.getSymName());
  collect(old, /*onHost=*/false);
  if (isBroken)
    return nullptr;
  if (programs.empty() && problems.empty())
    problems.add(old.getLoc(), "the module",
                 "expected a public function with a body, found none");
  for (func::FuncOp function : programs) {
    ops.setInsertionPointToEnd(module->getBody());
    convert(function);
  }
  if (!problems.empty()) {
    problems.report();
    return nullptr;
  }
  if (isBroken)
    return nullptr;
  problems.remarkDropped();
  if (failed(verify(*module)))
    return nullptr;
  return std::move(module);
}

/// The type of `#ttcore.argument_type<parameter>`, whose dialect does not exist
/// here; nothing for `input` and for what is none.
static std::optional<ArgumentType> readArgumentType(Attribute attribute) {
  if (!attribute)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  StringRef name = text;
  if (!name.consume_front("#ttcore.argument_type<") || !name.consume_back(">"))
    return std::nullopt;
  std::optional<ArgumentType> type = symbolizeArgumentType(name);
  return type == ArgumentType::Input ? std::nullopt : type;
}

void Reader::convert(func::FuncOp function) {
  SmallVector<Type> inputs, outputs;
  problems.drop(function->getDiscardableAttrDictionary(), function.getLoc());
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    problems.drop(function.getArgAttrDict(i), function.getLoc());
    inputs.push_back(import.tensor(function.getArgumentTypes()[i]));
    if (!inputs.back())
      problems.add(
          function.getArgument(i).getLoc(), "an argument",
          llvm::formatv("expected a tensor of floats or integers of 1 to 64 "
                        "bits, found {0}",
                        function.getArgumentTypes()[i])
              .str());
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    problems.drop(function.getResultAttrDict(i), function.getLoc());
    Type type = function.getResultTypes()[i];
    outputs.push_back(import.tensor(type));
    if (!outputs.back())
      problems.add(
          function.getLoc(), "a result",
          llvm::formatv("expected a tensor of floats or integers of 1 to 64 "
                        "bits, found {0}",
                        type)
              .str());
  }
  if (!problems.empty() && (llvm::is_contained(inputs, Type()) ||
                            llvm::is_contained(outputs, Type())))
    return;
  auto made = func::FuncOp::create(ops, import.location(function.getLoc()),
                                   function.getSymName(),
                                   ops.getFunctionType(inputs, outputs));
  Block *entry = made.addEntryBlock();
  Scope scope;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Location place = import.location(function.getArgument(i).getLoc());
    // The name of an argument is the name of its place.
    if (auto name = function.getArgAttrOfType<StringAttr>(i, "ttir.name"))
      place = NameLoc::get(StringAttr::get(ops.getContext(), name.getValue()),
                           place);
    entry->getArgument(i).setLoc(place);
    scope.values[function.getArgument(i)] = entry->getArgument(i);
  }
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (auto type =
            readArgumentType(function.getArgAttr(i, "ttcore.argument_type")))
      made.setArgAttr(i, ArgumentTypeAttr::name,
                      ArgumentTypeAttr::get(ops.getContext(), *type));
    // Attributes of this project that are requests to the compiler.
    if (auto dims =
            function.getArgAttrOfType<DenseI64ArrayAttr>(i, kShardDimsAttr))
      made.setArgAttr(i, kShardDimsAttr,
                      ops.getDenseI64ArrayAttr(dims.asArrayRef()));
    if (auto output =
            function.getArgAttrOfType<IntegerAttr>(i, kAliasedOutputAttr))
      made.setArgAttr(i, kAliasedOutputAttr,
                      ops.getI64IntegerAttr(output.getInt()));
  }
  ops.setInsertionPointToEnd(entry);
  calling.insert(function);
  if (function.getBody().hasOneBlock())
    convert(function.getBody().front(), scope);
  else
    add(function, "expected a body of one block");
  calling.remove(function);
  bool isWhole = scope.results.size() == outputs.size();
  if (!isWhole || llvm::is_contained(scope.results, Value())) {
    if (problems.empty() && !isBroken)
      add(function, "expected a return of all results");
    return;
  }
  for (auto [value, type] : llvm::zip(scope.results, outputs))
    if (value.getType() != type)
      return add(function, llvm::formatv("expected it to return {0}, found {1}",
                                         type, value.getType())
                               .str());
  // An argument that is changed is given to nobody unless it is returned.
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Value now = scope.values.lookup(function.getArgument(i));
    if (now && now != entry->getArgument(i) && !byTheWay.contains(now) &&
        !llvm::is_contained(scope.results, now))
      emitWarning(import.location(function.getLoc()))
          << "function '" << function.getSymName() << "' changes argument " << i
          << " and does not return it: here arguments keep their values";
  }
  Block &body = function.getBody().front();
  func::ReturnOp::create(
      ops,
      import.location(body.empty() ? function.getLoc() : body.back().getLoc()),
      scope.results);
}

void Reader::convert(Block &block, Scope &scope) {
  for (Operation &op : block) {
    if (++numOps > kMaxOps) {
      if (numOps == kMaxOps + 1)
        add(&op, llvm::formatv("expected at most {0} ops when functions stand "
                               "where they are called",
                               kMaxOps)
                     .str());
      return;
    }
    if (isa<func::ReturnOp>(op)) {
      for (Value value : op.getOperands())
        scope.results.push_back(lookup(value, scope));
      return;
    }
    convert(&op, scope);
  }
}

Value Reader::lookup(Value value, Scope &scope) {
  auto found = scope.values.find(value);
  if (found != scope.values.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  if (!isEmptyOp(op))
    return nullptr;
  RankedTensorType type = import.tensor(value.getType());
  if (!type) {
    add(op,
        llvm::formatv("its type is not supported: {0}", value.getType()).str());
    return scope.values[value] = Value();
  }
  Location place = writer.getLoc();
  writer.setLoc(import.location(op->getLoc()));
  Value zeros = type.getElementType().isIntOrFloat()
                    ? Value(writer.splat(0, type))
                    : Value();
  writer.setLoc(place);
  return scope.values[value] = zeros;
}

bool Reader::isLost(Operation *op, Scope &scope) {
  bool lost = false;
  for (Value value : op->getOperands()) {
    auto found = scope.values.find(value);
    if (found != scope.values.end()) {
      lost |= !found->second;
      continue;
    }
    if (isEmptyOp(value.getDefiningOp()))
      continue;
    add(op, "expected operands that are defined in front of it");
    return true;
  }
  return lost;
}

void Reader::convert(Operation *op, Scope &scope) {
  StringRef name = op->getName().getStringRef();
  writer.setLoc(import.location(op->getLoc()));
  if (isEmptyOp(op))
    return;
  // Whoever reads a result that is not set is skipped.
  for (Value result : op->getResults())
    scope.values[result] = Value();
  auto [dialect, mnemonic] = name.split('.');
  if (isa<func::CallOp>(op) || name == "ttcore.load_cached")
    return convertCall(op, scope);
  const Row *row = dialect == "ttir" ? findRow(mnemonic) : nullptr;
  if (name == "arith.constant")
    row = findRow("constant");
  if (!row)
    return add(op, dialect == "ttir" || dialect == "ttcore"
                       ? "it is no op of today's TTIR" +
                             (dialect == "ttir" ? suggestOp(mnemonic) : "")
                   : isOnHost
                       ? "expected ops of ttir and func.call, or those of "
                         "linalg, tensor, scf, arith and math alone"
                       : "expected ops of ttir, func.call and "
                         "ttcore.load_cached");
  if (!row->refused.empty())
    return add(op, row->refused);
  if (op->getNumRegions() != 0 || op->getNumSuccessors() != 0)
    return add(op, "expected no regions and no successors");
  if (isLost(op, scope))
    return;
  if (!isOnHost && op->hasAttr("ttir.should_hoist"))
    hoist(*row, op, scope);
  else
    convertOp(*row, op, scope);
}

void Reader::convertOp(const Row &row, Operation *op, Scope &scope) {
  // Attributes in front of the type that the table does not have.
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (llvm::none_of(row.attributes, [&](const Parameter &parameter) {
          return parameter.name == attribute.getName();
        }))
      problems.drop(attribute.getName().getValue(), op->getLoc());
  Block *block = ops.getInsertionBlock();
  Operation *before = block->empty() ? nullptr : &block->back();
  Call call(row, op, import, writer);
  std::string refused;
  {
    // What the new ops do not take, the program must not have.
    ScopedDiagnosticHandler handler(
        ops.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (refused.empty())
            refused = diagnostic.str();
          return success();
        });
    bool done = succeeded(call.bind(
                    [&](Value value) { return lookup(value, scope); })) &&
                succeeded(row.rule(call));
    if (done) {
      auto first = before ? std::next(before->getIterator()) : block->begin();
      for (Operation &made : llvm::make_range(first, block->end()))
        if (failed(verify(&made, /*verifyRecursively=*/false))) {
          done = false;
          break;
        }
    }
    if (done && call.results.size() < op->getNumResults())
      done = false;
    if (!done) {
      if (!call.problem.empty())
        refused = call.problem;
      else if (refused.empty())
        refused = "it cannot be expressed";
      return add(op, refused);
    }
  }
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    Value now = call.results[index];
    if (now.getType() != call.types[index])
      return add(op,
                 llvm::formatv("its result is {0}, and the program says {1}",
                               now.getType(), call.types[index])
                     .str());
    scope.values[result] = now;
  }
  // From here on a changed operand has its new value.
  if (llvm::none_of(row.operands, [](const Slot &s) { return s.isChanged; }))
    return;
  if (call.changed.empty())
    call.changed = call.results;
  size_t next = 0;
  for (auto [slot, old] : llvm::zip(row.operands, call.given))
    if (slot.isChanged && !old.empty() && next < call.changed.size())
      scope.values[old.front()] = call.changed[next++];
  if (!row.results.empty())
    byTheWay.insert(call.changed.begin(), call.changed.end());
}

func::FuncOp Reader::callee(Operation *op) {
  FlatSymbolRefAttr name;
  if (auto call = dyn_cast<func::CallOp>(op))
    name = call.getCalleeAttr();
  else
    name = op->getAttrOfType<FlatSymbolRefAttr>("callee");
  if (!name) {
    add(op, "expected the name of a function");
    return nullptr;
  }
  func::FuncOp function = functions.lookup(name.getValue());
  if (!function || function.isDeclaration()) {
    // What is hoisted to the host stands in the module of the host, under the
    // name without `_decl`.
    StringRef host = name.getValue();
    func::FuncOp hoisted = hostFunctions.lookup(host);
    if (!hoisted && host.consume_back("_decl"))
      hoisted = hostFunctions.lookup(host);
    if (!hoisted || hoisted.isDeclaration()) {
      add(op, llvm::formatv("the body of '{0}' is not in the program",
                            name.getValue())
                  .str());
      return nullptr;
    }
    function = hoisted;
  }
  if (calling.contains(function)) {
    add(op,
        llvm::formatv("function '{0}' calls itself", name.getValue()).str());
    return nullptr;
  }
  if (calling.size() > kMaxCallDepth) {
    add(op,
        llvm::formatv("expected calls at most {0} deep", kMaxCallDepth).str());
    return nullptr;
  }
  if (!llvm::equal(function.getArgumentTypes(), op->getOperandTypes()) ||
      !llvm::equal(function.getResultTypes(), op->getResultTypes())) {
    add(op, llvm::formatv("its types are not those of function '{0}'",
                          function.getSymName())
                .str());
    return nullptr;
  }
  if (!function.getBody().hasOneBlock()) {
    add(op, llvm::formatv("expected a body of one block in function '{0}'",
                          function.getSymName())
                .str());
    return nullptr;
  }
  return function;
}

/// The ops of the function stand where it is called.
void Reader::convertCall(Operation *op, Scope &scope) {
  func::FuncOp function = callee(op);
  if (!function || isLost(op, scope))
    return;
  if (!isOnHost && hostFunctions.lookup(function.getSymName()) == function)
    return callHostFunction(op, convertHostFunction(function),
                            op->getOperands(), scope);
  Scope inner;
  SmallVector<Value> given;
  for (auto [argument, operand] :
       llvm::zip(function.getArguments(), op->getOperands())) {
    given.push_back(lookup(operand, scope));
    inner.values[argument] = given.back();
  }
  calling.insert(function);
  convert(function.getBody().front(), inner);
  calling.remove(function);
  writer.setLoc(import.location(op->getLoc()));
  // What the function changed of its arguments is changed here.
  for (auto [argument, operand, before] :
       llvm::zip(function.getArguments(), op->getOperands(), given)) {
    Value now = inner.values.lookup(argument);
    if (now && now != before)
      scope.values[operand] = now;
  }
  for (auto [result, now] : llvm::zip(op->getResults(), inner.results)) {
    if (now && now.getType() != import.tensor(result.getType()))
      return add(op, "it does not return what its type says");
    scope.values[result] = now;
  }
}
