// What the processor (and the operating system, which must save the wider registers) can do, asked at run time.
#pragma once

#include <string_view>

namespace daedalus::tape {

/// In ascending order: each includes those before it. AVX2 stands for fused products, too (FMA3), which came with it.
enum class InstructionSet { none, sse2, avx, avx2, avx512 };

/// The environment variable DAEDALUS_CPU (sse2, avx, avx2) makes the processor an older one, to see what those do.
[[nodiscard]] InstructionSet best_instruction_set();
/// Whether Code::add_product and sub_product are single instructions here. Who writes tapes asks, so that what is
/// computed depends on the processor at most, never on the back end.
[[nodiscard]] bool has_fused_products();
[[nodiscard]] std::string_view to_string(InstructionSet set);

/// Doubles in one vector register of a batch; 1 where a set has no batches.
[[nodiscard]] int batch_width(InstructionSet set);

} // namespace daedalus::tape
