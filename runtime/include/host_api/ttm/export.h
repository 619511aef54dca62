// The attribute of exported symbols.
#ifndef TTM_EXPORT_H
#define TTM_EXPORT_H

#define TTM_EXPORT __attribute__((visibility("default")))

#endif // TTM_EXPORT_H
