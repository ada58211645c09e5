// Loops that are compiled twice, for the vector units that most processors have now and for any.
// Only for loops whose result does not depend on how wide the unit is: whole numbers, or sums that are
// written lane by lane. The wider variant has no fused multiplication, which would round otherwise.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OTHERWORDS_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define OTHERWORDS_WIDE
#endif
