// Published tables, figures and examples: each is one function that computes it anew and judges the agreement. A new
// one is a function in a file of its own and a line in reproduction_table.cpp.
#pragma once

#include "daedalus/study.hpp"
#include "study/real.hpp"

#include <span>

namespace daedalus::study {

struct ReproductionEntry {
    const char* id;
    const char* title;
    const char* source;
    const char* shows;
    Reproduction (*run)(); ///< fills all but `info`
};
[[nodiscard]] std::span<const ReproductionEntry> reproduction_table();

/// Collects remarks; one that fails makes the verdict `differs`.
class Judgement {
public:
    void expect(bool holds, std::string remark);
    void remark(std::string text) { remarks_.push_back(std::move(text)); }
    void write(Reproduction& result) const;

private:
    bool agrees_ = true;
    std::vector<std::string> remarks_;
};

/// Rounded to so many decimals, is it the number printed? `unit` is the last digit printed, as 1e-7 for 0.0040085.
[[nodiscard]] bool same_digits(double ours, double printed, double unit);
/// Slope of log y against log x by least squares.
[[nodiscard]] double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);
[[nodiscard]] double median(std::vector<double> values);

Reproduction reproduce_nc_5_1();
Reproduction reproduce_nc_5_2();
Reproduction reproduce_mw_7_1();
Reproduction reproduce_mw_7_2();
Reproduction reproduce_mw_8_3();
Reproduction reproduce_mw_9_3();
Reproduction reproduce_mw_9_4();
Reproduction reproduce_w_1_1();
Reproduction reproduce_w_1_6();
Reproduction reproduce_w_theorem_2_1();
Reproduction reproduce_w_2_2();
Reproduction reproduce_hw_1_9();
Reproduction reproduce_hw_1_25();
Reproduction reproduce_hw_1_31();
Reproduction reproduce_hw_1_32();
Reproduction reproduce_s_47();
Reproduction reproduce_hw_1_52();
Reproduction reproduce_hw_2_1();
Reproduction reproduce_hw_theorem_2_1();
Reproduction reproduce_hw_2_2();
Reproduction reproduce_hw_2_3();
Reproduction reproduce_s_27();
Reproduction reproduce_w_4_3();
Reproduction reproduce_s_8();
Reproduction reproduce_s_29();
Reproduction reproduce_s_39();
Reproduction reproduce_s_48();

} // namespace daedalus::study
