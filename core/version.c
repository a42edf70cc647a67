// SPDX-License-Identifier: Apache-2.0
// The version of the library, and the optional parts that it is built with.
#include <duet/version.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *duet_version(void)
{
    return TEXT(DUET_VERSION_MAJOR) "." TEXT(DUET_VERSION_MINOR) "." TEXT(DUET_VERSION_PATCH);
}

const char *duet_features(void)
{
    static const char features[] = ""
#ifdef DUET_WITH_GLPK
                                   " glpk"
#endif
#ifdef DUET_WITH_GSL
                                   " gsl"
#endif
#ifdef DUET_WITH_CAIRO
                                   " cairo"
#endif
#ifdef DUET_WITH_OPENBLAS
                                   " openblas"
#endif
#ifdef DUET_WITH_ZLIB
                                   " zlib"
#endif
#ifdef DUET_WITH_LZMA
                                   " lzma"
#endif
#ifdef DUET_WITH_ZSTD
                                   " zstd"
#endif
#ifdef DUET_WITH_OPENMP
                                   " openmp"
#endif
#ifdef DUET_WITH_MPI
                                   " mpi"
#endif
        ;
    return features[0] == ' ' ? features + 1 : features;
}
