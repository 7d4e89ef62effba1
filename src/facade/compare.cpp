#include "daedalus/compare.hpp"

#include "facade/access.hpp"
#include "study/comparison.hpp"

namespace daedalus {

Expected<CompareResult> compare(const CompiledModel& model, const CompareOptions& options) {
    return study::run_comparison(model.impl().compilations, options);
}

} // namespace daedalus
