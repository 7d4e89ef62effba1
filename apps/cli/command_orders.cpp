// `daedalus orders`: predicted and observed orders of methods on classes of DAEs.
#include "commands.hpp"
#include "daedalus/study.hpp"

namespace cli {

ExitCode run_orders(const Request& request) {
    const Console& console = request.console;
    const auto table = daedalus::orders({request.order_method, request.order_class});
    if (!table) return console.fail(table.error());
    console.result(console.json ? table->to_json() : table->to_text(console.colored()));
    return table->failures() == 0 ? ExitCode::success : ExitCode::numerical_failure;
}

} // namespace cli
