# The type of this property is written without its module.
.*\.static_typeid:
    static_typeid: ttmlir.ir.TypeID

.*\.PassError\.error_diagnostics:
    error_diagnostics: list[ttmlir.ir.DiagnosticInfo]
