// PETSc TS through its C interface, memory and symbolic factorisation reused from run to run. Called as measured to be
// best: of its fixed orders of BDF the fourth; of its Rosenbrock methods van Veldhuizen's, one factorisation per step;
// LU by PETSc itself in the order of nested dissection, which takes half the time of KLU and MUMPS and less than
// UMFPACK. Its ARKIMEX wants u' - f with the unit matrix before u'. PETSC_OPTIONS is heard, to try others.
#include "peers/peer_code.hpp"
#include "peers/shifted_jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <petscts.h>

namespace daedalus::benchmarks {

namespace {

/// PETSc in this one process; signals and errors are left to us.
struct Session {
    Session() {
        setenv("OMPI_MCA_ess_singleton_isolated", "1", 0); // Open MPI starts no daemon
        PetscInitializeNoArguments();
        PetscPopSignalHandler();
        PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);
    }
    ~Session() { PetscFinalize(); }
};

// Values of sequential vectors stay where they are.
const double* read(Vec v) {
    const double* values = nullptr;
    VecGetArrayRead(v, &values);
    VecRestoreArrayRead(v, nullptr);
    return values;
}
double* write(Vec v) {
    double* values = nullptr;
    VecGetArray(v, &values);
    VecRestoreArray(v, nullptr);
    return values;
}

class Petsc {
public:
    Petsc(std::shared_ptr<PeerForm> form, double t0, double t1, PetscMethod method)
        : form_(std::move(form)), t0_(t0), t1_(t1) {
        static const Session session;
        make_matrix(form_->problem().pattern());
        VecCreateSeq(PETSC_COMM_SELF, form_->size(), &y_);
        VecDuplicate(y_, &absolute_);
        TSCreate(PETSC_COMM_SELF, &ts_);
        TSSetIFunction(ts_, nullptr, residual, this);
        TSSetIJacobian(ts_, matrix_, matrix_, jacobian, this);
        TSSetType(ts_, method == PetscMethod::bdf ? TSBDF : TSROSW);
        TSBDFSetOrder(ts_, 4); // each hears only its own
        TSRosWSetType(ts_, TSROSWVELDD4);
        TSSetExactFinalTime(ts_, TS_EXACTFINALTIME_MATCHSTEP);
        TSSetMaxSteps(ts_, 200'000);
        TSSetMaxSNESFailures(ts_, -1); // smaller steps instead
        SNES newton = nullptr;
        KSP linear = nullptr;
        PC factors = nullptr;
        TSGetSNES(ts_, &newton);
        SNESGetKSP(newton, &linear);
        KSPSetType(linear, KSPPREONLY);
        KSPGetPC(linear, &factors);
        PCSetType(factors, PCLU);
        PCFactorSetMatSolverType(factors, MATSOLVERPETSC);
        PCFactorSetMatOrderingType(factors, MATORDERINGND);
        TSSetFromOptions(ts_);
    }
    Petsc(const Petsc&) = delete;
    Petsc& operator=(const Petsc&) = delete;
    ~Petsc() {
        TSDestroy(&ts_);
        MatDestroy(&matrix_);
        for (Vec* v : {&y_, &absolute_}) VecDestroy(v);
    }

    std::vector<double> run(double tolerance) {
        work_ = {};
        double *y = write(y_), *absolute = write(absolute_);
        double slopes = 0.0;
        for (std::size_t i = 0; i < form_->x0.size(); ++i) {
            y[i] = form_->x0[i];
            absolute[i] = tolerance * form_->scale[i];
            const double slope = form_->dx0[i] / (absolute[i] + tolerance * std::abs(y[i]));
            slopes += slope * slope;
        }
        TSSetTolerances(ts_, PETSC_DECIDE, absolute_, tolerance, nullptr);
        TSSetTime(ts_, t0_);
        TSSetMaxTime(ts_, t1_);
        TSSetStepNumber(ts_, 0);
        // IDA's first step; PETSc has none of its own.
        TSSetTimeStep(ts_, std::min(1e-3 * (t1_ - t0_), 0.5 / std::sqrt(slopes / form_->size())));
        TSRestartStep(ts_);
        TSConvergedReason reason = TS_CONVERGED_ITERATING;
        if (TSSolve(ts_, y_) != 0 || TSGetConvergedReason(ts_, &reason) != 0 || reason <= 0) return {};
        return {y, y + form_->size()};
    }

    [[nodiscard]] Work work() const {
        Work w = work_;
        PetscInt steps = 0, solves = 0;
        TSGetStepNumber(ts_, &steps);
        TSGetKSPIterations(ts_, &solves);
        w.steps = steps;
        w.solves = solves;
        w.factorizations = w.jacobians; // one for each
        return w;
    }

private:
    void make_matrix(const SparsityPattern& pattern) {
        std::vector<PetscInt> rows(pattern.row_index.begin(), pattern.row_index.end()), columns;
        for (int c = 0; c < pattern.cols; ++c)
            columns.resize(static_cast<std::size_t>(pattern.column_start[static_cast<std::size_t>(c) + 1]), c);
        values_.resize(rows.size());
        MatCreate(PETSC_COMM_SELF, &matrix_);
        MatSetSizes(matrix_, pattern.rows, pattern.cols, pattern.rows, pattern.cols);
        MatSetType(matrix_, MATSEQAIJ);
        MatSetPreallocationCOO(matrix_, pattern.nonzeros(), rows.data(), columns.data());
    }
    static PetscErrorCode status(TS ts, problem::EvalStatus s) {
        SNES newton = nullptr;
        if (s != problem::EvalStatus::ok && TSGetSNES(ts, &newton) == 0) SNESSetFunctionDomainError(newton);
        return 0;
    }
    static PetscErrorCode residual(TS ts, double t, Vec y, Vec yp, Vec r, void* self) {
        Petsc& p = *static_cast<Petsc*>(self);
        ++p.work_.residuals;
        return status(ts, p.form_->problem().residual(t, read(y), read(yp), write(r)));
    }
    static PetscErrorCode jacobian(TS ts, double t, Vec y, Vec yp, double shift, Mat /*operator*/, Mat m, void* self) {
        Petsc& p = *static_cast<Petsc*>(self);
        ++p.work_.jacobians;
        const auto s = shifted_jacobian(p.form_->problem(), t, read(y), read(yp), shift, p.values_.data());
        MatSetValuesCOO(m, p.values_.data(), INSERT_VALUES);
        return status(ts, s);
    }

    std::shared_ptr<PeerForm> form_;
    double t0_, t1_;
    Work work_;
    std::vector<double> values_;
    Mat matrix_ = nullptr;
    Vec y_ = nullptr, absolute_ = nullptr;
    TS ts_ = nullptr;
};

} // namespace

PeerCode make_petsc(std::shared_ptr<PeerForm> form, double t0, double t1, PetscMethod method) {
    const std::string name = std::string(method == PetscMethod::bdf ? "PETSc BDF4, " : "PETSc ROSW, ") + form->name;
    auto petsc = std::make_shared<Petsc>(form, t0, t1, method);
    return {name, "PETSc", [petsc](double tolerance) { return petsc->run(tolerance); },
            [petsc] { return petsc->work(); }, costs_of(std::move(form), t0)};
}

} // namespace daedalus::benchmarks
