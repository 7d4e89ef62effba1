#include "structure/work_count.hpp"

namespace daedalus::structure {

WorkCount& work_count() {
    thread_local WorkCount count;
    return count;
}

} // namespace daedalus::structure
