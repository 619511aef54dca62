"""Generates the op tables that lowering and serialization include.

An op is described once, in its TableGen definition (see cpp/dialects/OpTables.td for the fields):

* a TTIR op names the TTNN op that it becomes (``loweredTo``);
* a TTNN op names its flatbuffer table and what fills each field of it (``schemaTable`` and
  ``schemaFields``).

From the records of ``llvm-tblgen --dump-json`` this script writes

* ``TTIRToTTNN.inc``: one line ``TTIR_TO_TTNN(AbsOp, AbsOp)`` for each one-to-one lowering;
* ``TTNNToFlatbuffer.inc``: a function ``createOp(cache, op)`` for each TTNN op with a table, and
  ``serializePayload(cache, Operation *)`` that dispatches to them.

``TTNNToFlatbuffer.inc`` is included inside ``namespace mlir::tt::ttnn`` after a header that
declares, in that namespace (``fbs`` stands for ``::tt::target``, ``Offset`` and ``Vector`` for
those of ``::flatbuffers``):

    struct FlatbufferObjectCache { ::flatbuffers::FlatBufferBuilder *fbb; ... };

    // One object for each value in destination-passing style; a null value gives a null offset.
    Offset<fbs::TensorRef> tensorRef(FlatbufferObjectCache &, Value);
    Offset<Vector<Offset<fbs::TensorRef>>> tensorRefs(FlatbufferObjectCache &, ValueRange);
    Offset<fbs::DeviceRef> deviceRef(FlatbufferObjectCache &, Value);

    // Attributes. A null attribute gives a null offset, or zero for a scalar or an enumerator.
    Offset<Vector<int64_t>>             toFlatbuffer(FlatbufferObjectCache &, ShapeAttr);
    Offset<Vector<int32_t>>             toFlatbuffer(FlatbufferObjectCache &, ArrayAttr); // of i32
    Offset<fbs::MemoryConfigDesc>       toFlatbuffer(FlatbufferObjectCache &, MemoryConfigAttr);
    fbs::DataType                       toFlatbuffer(FlatbufferObjectCache &, DataTypeAttr);
    fbs::TensorLayout                   toFlatbuffer(FlatbufferObjectCache &, ttnn::LayoutAttr);
    int32_t                             toFlatbuffer(FlatbufferObjectCache &, IntegerAttr);
    bool                                toFlatbuffer(FlatbufferObjectCache &, BoolAttr);
    float                               toFlatbuffer(FlatbufferObjectCache &, FloatAttr);

An op marked ``schemaByHand`` (``ttnn.get_device``) gets no body: the includer defines
``Offset<fbs::ttnn::GetDeviceOp> createOp(FlatbufferObjectCache &, GetDeviceOp)`` before it
includes the table. The generated dispatcher is

    struct Payload { fbs::ttnn::OpType type; Offset<void> table; };
    // Nothing when the op has no table (an error at the op is for the caller to emit).
    std::optional<Payload> serializePayload(FlatbufferObjectCache &cache, Operation *op);
"""
