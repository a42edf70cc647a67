// SPDX-License-Identifier: Apache-2.0
// The files of report/page/, made part of the library by CMake. Each ends in a NUL that its size
// does not count.
#ifndef DUET_REPORT_PAGE_TEMPLATE_H
#define DUET_REPORT_PAGE_TEMPLATE_H

#include <stddef.h>

extern const unsigned char duet_html_page[];
extern const size_t duet_html_page_size;
extern const unsigned char duet_html_style[];
extern const size_t duet_html_style_size;
extern const unsigned char duet_html_script[];
extern const size_t duet_html_script_size;

#endif
