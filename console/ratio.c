// SPDX-License-Identifier: Apache-2.0
// The decimal value of a ratio's text, for people: numbers, + - * /, sqrt( ) and parentheses.
#include "console/texts.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16 };

typedef struct reader {
    const char *at;
    int depth;
    bool failed;
} reader;

static double read_sum(reader *in);

static double read_bracket(reader *in)
{
    if (*in->at != '(' || ++in->depth > MAX_DEPTH) {
        in->failed = true;
        return 0;
    }
    in->at++;
    double value = read_sum(in);
    in->depth--;
    if (*in->at != ')') {
        in->failed = true;
        return 0;
    }
    in->at++;
    return value;
}

static double read_factor(reader *in)
{
    if (strncmp(in->at, "sqrt", 4) == 0) {
        in->at += 4;
        return sqrt(read_bracket(in));
    }
    if (!isdigit((unsigned char)*in->at)) {
        return read_bracket(in);
    }
    char *end = NULL;
    double value = strtod(in->at, &end);
    in->at = end;
    return value;
}

static double read_product(reader *in)
{
    double value = read_factor(in);
    while (!in->failed && (*in->at == '*' || *in->at == '/')) {
        char sign = *in->at++;
        double next = read_factor(in);
        value = sign == '*' ? value * next : value / next;
    }
    return value;
}

static double read_sum(reader *in)
{
    double value = read_product(in);
    while (!in->failed && (*in->at == '+' || *in->at == '-')) {
        char sign = *in->at++;
        double next = read_product(in);
        value = sign == '+' ? value + next : value - next;
    }
    return value;
}

double duet_cli_ratio_value(const char *text)
{
    reader in = {text, 0, false};
    double value = read_sum(&in);
    return in.failed || *in.at != '\0' || !isfinite(value) ? -1.0 : value;
}
