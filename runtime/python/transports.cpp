#include "bindings.h"
#include "native_call.h"

#include "tt/runtime/error.h"
#include "tt/runtime/transport.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace tt::runtime::python {
namespace {

/// Calls a function of Python, such as one on mpi4py.
class CallbackTransport : public Transport {
public:
  CallbackTransport(std::uint32_t rank, std::uint32_t size,
                    nb::callable exchange)
      : rank_(rank), size_(size), exchange_(std::move(exchange)) {}
  ~CallbackTransport() override {
    nb::gil_scoped_acquire acquire;
    exchange_.reset();
  }

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return size_; }

  std::vector<std::string>
  exchange(std::vector<std::string> messages) override {
    nb::gil_scoped_acquire acquire;
    nb::list given;
    for (std::string &message : messages) {
      given.append(nb::bytes(message.data(), message.size()));
      message = {};
    }
    const auto found = nb::cast<std::vector<nb::bytes>>(exchange_(given));
    std::vector<std::string> result;
    for (const nb::bytes &message : found)
      result.emplace_back(message.c_str(), message.size());
    return result;
  }

private:
  std::uint32_t rank_, size_;
  nb::object exchange_;
};

} // namespace

void bindTransports(nb::module_ &m) {
  nb::class_<Transport>(m, "Transport",
                        "Messages between the ranks that emulate a system.")
      .def_prop_ro("rank", &Transport::rank)
      .def_prop_ro("size", &Transport::size);
  m.def(
      "callback_transport",
      [](std::uint32_t rank, std::uint32_t size,
         nb::callable exchange) -> std::shared_ptr<Transport> {
        if (rank >= size)
          raise(ErrorCategory::Argument, "expected a rank below ", size,
                ", found ", rank);
        return std::make_shared<CallbackTransport>(rank, size,
                                                   std::move(exchange));
      },
      "rank"_a, "size"_a, "exchange"_a,
      "A transport whose `exchange` sends a list of bytes, one for each rank, "
      "and returns what each rank has sent to this one.");
  m.def("local_transports", &makeLocalTransports, "size"_a,
        "Transports between threads of this process, by rank.");
  m.def("set_transport", &setTransport, "transport"_a.none(),
        "Divides the meshes of devices that are opened from now on among the "
        "ranks of the transport; None: this process has all chips.");
  m.def("require_same", native(&requireSame), "what"_a, "value"_a,
        "Raises ArgumentError unless all ranks pass the same value.");
  m.def("gather_texts", native(&gather), "what"_a, "value"_a,
        "The texts that all ranks pass, by rank.");
  m.def("report_failure", native(&reportFailure), "message"_a,
        "is_new"_a = false,
        "The other ranks get this error in what they do together next, unless "
        "all have an error already, which this one is unless it `is_new`.");
}

} // namespace tt::runtime::python
