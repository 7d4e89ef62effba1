// All public headers.
#pragma once

#include "daedalus/analysis.hpp"
#include "daedalus/black_box.hpp"
#include "daedalus/diagnostic.hpp"
#include "daedalus/expected.hpp"
#include "daedalus/expression.hpp"
#include "daedalus/initial_values.hpp"
#include "daedalus/linear_system.hpp"
#include "daedalus/model.hpp"
#include "daedalus/option_list.hpp"
#include "daedalus/options.hpp"
#include "daedalus/pencil.hpp"
#include "daedalus/solution.hpp"
#include "daedalus/solve.hpp"
#include "daedalus/study.hpp"
#include "daedalus/terminal.hpp"
#include "daedalus/version.hpp"
