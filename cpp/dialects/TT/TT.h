#ifndef DIALECTS_TT_TT_H
#define DIALECTS_TT_TT_H

#include "dialects/TT/TTTypes.h"
#include "dialects/TT/Utils.h"

#include "dialects/TT/TTDialect.h.inc"

#endif
