// The host API.
#ifndef TTM_HOST_API_H
#define TTM_HOST_API_H

#include "ttm/assert.h"
#include "ttm/device.h"
#include "ttm/log.h"

#endif // TTM_HOST_API_H
