#include "table.h"

using namespace tt::pjrt;
using namespace tt::pjrt::abi;

namespace {

void errorDestroy(Error_Destroy_Args *args) { delete args->error; }

void errorMessage(Error_Message_Args *args) {
  giveText(args->error->message, args->message, args->message_size);
}

Error *errorGetCode(Error_GetCode_Args *args) {
  args->code = args->error->code;
  return nullptr;
}

Error *eventDestroy(Event_Destroy_Args *args) {
  delete args->event;
  return nullptr;
}

Error *eventIsReady(Event_IsReady_Args *args) {
  args->is_ready = args->event->completion->isReady();
  return nullptr;
}

Error *eventError(Event_Error_Args *args) {
  return copyError(args->event->completion->failure());
}

Error *eventAwait(Event_Await_Args *args) {
  return copyError(args->event->completion->wait());
}

Error *eventOnReady(Event_OnReady_Args *args) {
  args->event->completion->onReady(
      [callback = args->callback, user = args->user_arg](
          const Failure &failure) { callback(copyError(failure), user); });
  return nullptr;
}

} // namespace

void tt::pjrt::addEvents(Table &table) {
  table.add(Function::Error_Destroy, errorDestroy);
  table.add(Function::Error_Message, errorMessage);
  table.add(Function::Error_GetCode, errorGetCode);
  table.add(Function::Event_Destroy, eventDestroy);
  table.add(Function::Event_IsReady, eventIsReady);
  table.add(Function::Event_Error, eventError);
  table.add(Function::Event_Await, eventAwait);
  table.add(Function::Event_OnReady, eventOnReady);
}
