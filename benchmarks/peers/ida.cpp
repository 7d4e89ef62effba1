// SUNDIALS IDA through its C interface, memory reused from run to run.
#include "peers/peer_code.hpp"
#include "peers/shifted_jacobian.hpp"

#include <algorithm>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

namespace daedalus::benchmarks {

namespace {

constexpr int order_amd = 0; // of KLU: less fill on these patterns than SUNDIALS' default COLAMD

class Ida {
public:
    Ida(std::shared_ptr<PeerForm> form, double t0, double t1, IdaSolver solver)
        : form_(std::move(form)), t0_(t0), t1_(t1) {
        const int n = form_->size();
        values_.resize(static_cast<std::size_t>(form_->problem().pattern().nonzeros()));
        SUNContext_Create(nullptr, &context_);
        for (N_Vector* v : {&y_, &yp_, &id_, &absolute_}) *v = N_VNew_Serial(n, context_);
        for (int i = 0; i < n; ++i)
            N_VGetArrayPointer(id_)[i] = form_->differential[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
        memory_ = IDACreate(context_);
        set_start();
        IDAInit(memory_, residual, t0_, y_, yp_);
        IDASetUserData(memory_, this);
        IDASStolerances(memory_, 1e-4, 1e-4);
        if (solver == IdaSolver::dense) {
            matrix_ = SUNDenseMatrix(n, n, context_);
            linear_ = SUNLinSol_Dense(y_, matrix_, context_);
        } else {
            matrix_ = SUNSparseMatrix(n, n, static_cast<sunindextype>(values_.size()), CSC_MAT, context_);
            linear_ = SUNLinSol_KLU(y_, matrix_, context_);
            SUNLinSol_KLUSetOrdering(linear_, order_amd);
        }
        IDASetLinearSolver(memory_, linear_, matrix_);
        IDASetJacFn(memory_, solver == IdaSolver::dense ? dense_jacobian : sparse_jacobian);
        IDASetMaxNumSteps(memory_, 200'000);
        IDASetId(memory_, id_);
        if (form_->highest_index() > 1) IDASetSuppressAlg(memory_, SUNTRUE);
        IDASetErrHandlerFn(
            memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
    }
    Ida(const Ida&) = delete;
    Ida& operator=(const Ida&) = delete;
    ~Ida() {
        IDAFree(&memory_);
        SUNLinSolFree(linear_);
        SUNMatDestroy(matrix_);
        for (N_Vector v : {y_, yp_, id_, absolute_}) N_VDestroy(v);
        SUNContext_Free(&context_);
    }

    std::vector<double> run(double tolerance) {
        set_start();
        double* absolute = N_VGetArrayPointer(absolute_);
        for (std::size_t i = 0; i < form_->scale.size(); ++i) absolute[i] = tolerance * form_->scale[i];
        IDAReInit(memory_, t0_, y_, yp_);
        IDASVtolerances(memory_, tolerance, absolute_);
        IDASetStopTime(memory_, t1_);
        double reached = t0_;
        if (IDASolve(memory_, t1_, &reached, y_, yp_, IDA_NORMAL) < 0) return {};
        const double* y = N_VGetArrayPointer(y_);
        return {y, y + form_->size()};
    }

    [[nodiscard]] Work work() const {
        Work w;
        IDAGetNumSteps(memory_, &w.steps);
        IDAGetNumResEvals(memory_, &w.residuals);
        IDAGetNumJacEvals(memory_, &w.jacobians);
        IDAGetNumNonlinSolvIters(memory_, &w.solves);
        w.factorizations = w.jacobians; // IDA evaluates for each
        return w;
    }

private:
    void set_start() {
        std::copy(form_->x0.begin(), form_->x0.end(), N_VGetArrayPointer(y_));
        std::copy(form_->dx0.begin(), form_->dx0.end(), N_VGetArrayPointer(yp_));
    }
    static int status(problem::EvalStatus s) { return s == problem::EvalStatus::ok ? 0 : 1; }
    static int residual(double t, N_Vector y, N_Vector yp, N_Vector r, void* self) {
        return status(static_cast<Ida*>(self)->form_->problem().residual(
            t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(r)));
    }
    static int dense_jacobian(double t, double cj, N_Vector y, N_Vector yp, N_Vector /*r*/, SUNMatrix j, void* self,
                              N_Vector, N_Vector, N_Vector) {
        Ida& ida = *static_cast<Ida*>(self);
        const problem::ImplicitProblem& p = ida.form_->problem();
        const auto s = shifted_jacobian(p, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), cj, ida.values_.data());
        const SparsityPattern& pattern = p.pattern();
        for (int c = 0; c < pattern.cols; ++c) {
            double* column = SUNDenseMatrix_Column(j, c);
            for (int k = pattern.column_start[static_cast<std::size_t>(c)];
                 k < pattern.column_start[static_cast<std::size_t>(c) + 1]; ++k)
                column[pattern.row_index[static_cast<std::size_t>(k)]] = ida.values_[static_cast<std::size_t>(k)];
        }
        return status(s);
    }
    static int sparse_jacobian(double t, double cj, N_Vector y, N_Vector yp, N_Vector /*r*/, SUNMatrix j, void* self,
                               N_Vector, N_Vector, N_Vector) {
        const problem::ImplicitProblem& p = static_cast<Ida*>(self)->form_->problem();
        const SparsityPattern& pattern = p.pattern();
        std::copy(pattern.column_start.begin(), pattern.column_start.end(), SUNSparseMatrix_IndexPointers(j));
        std::copy(pattern.row_index.begin(), pattern.row_index.end(), SUNSparseMatrix_IndexValues(j));
        return status(
            shifted_jacobian(p, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), cj, SUNSparseMatrix_Data(j)));
    }

    std::shared_ptr<PeerForm> form_;
    double t0_, t1_;
    std::vector<double> values_;
    SUNContext context_ = nullptr;
    N_Vector y_ = nullptr, yp_ = nullptr, id_ = nullptr, absolute_ = nullptr;
    SUNMatrix matrix_ = nullptr;
    SUNLinearSolver linear_ = nullptr;
    void* memory_ = nullptr;
};

} // namespace

PeerCode make_ida(std::shared_ptr<PeerForm> form, double t0, double t1, IdaSolver solver) {
    const std::string name = std::string(solver == IdaSolver::dense ? "IDA dense, " : "IDA KLU, ") + form->name;
    auto ida = std::make_shared<Ida>(form, t0, t1, solver);
    return {name, "IDA", [ida](double tolerance) { return ida->run(tolerance); }, [ida] { return ida->work(); },
            costs_of(std::move(form), t0)};
}

} // namespace daedalus::benchmarks
