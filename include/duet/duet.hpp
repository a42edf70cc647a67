// SPDX-License-Identifier: Apache-2.0
/// @file
/// The library for C++17, in this header alone: objects that free what they own, errors as
/// exceptions, and functions of C++ as algorithms and progress functions. What is not wrapped here
/// is called as in C, by the handles that get() gives.
///
/// No exception crosses a frame of C: what a function of the caller throws is kept, ends the call,
/// and is thrown again when the library has returned.
#ifndef DUET_DUET_HPP
#define DUET_DUET_HPP

#include <duet/duet.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duet
{

/// What went wrong in the library: the message says what and what was expected.
class error : public std::runtime_error
{
  public:
    /// What the library said.
    explicit error(const duet_error &fault) : std::runtime_error(text(fault)), code_(fault.code)
    {
    }
    /// Never DUET_OK.
    duet_code code() const noexcept
    {
        return code_;
    }

  private:
    static std::string text(const duet_error &fault)
    {
        std::string where = fault.file;
        for (int number : {fault.line, fault.column}) {
            where += !where.empty() && number > 0 ? ":" + std::to_string(number) : "";
        }
        return where.empty() ? fault.message : where + ": " + fault.message;
    }

    duet_code code_;
};

/// @cond
namespace detail
{

/// Throws what a function of the library says; out of memory is std::bad_alloc.
inline void check(duet_code code, duet_error &fault)
{
    if (code == DUET_E_MEMORY) {
        throw std::bad_alloc();
    }
    if (code != DUET_OK) {
        fault.code = code;
        throw error(fault);
    }
}

template <class T, void (*Free)(T *)> struct freed {
    void operator()(T *handle) const noexcept
    {
        Free(handle);
    }
};
template <class T, void (*Free)(T *)> using owned = std::unique_ptr<T, freed<T, Free>>;

/// Calls `function(&handle, &fault)`, and owns what it makes.
template <class Owned, class Function> Owned make(Function function)
{
    duet_error fault = DUET_ERROR_INIT;
    typename Owned::pointer handle = nullptr;
    duet_code code = function(&handle, &fault);
    Owned made(handle);
    check(code, fault);
    return made;
}

} // namespace detail
/// @endcond

/// Options as "key=value".
class options
{
  public:
    options()
        : handle_(detail::make<owned>(
              [](auto **out, auto *fault) { return duet_options_create(out, fault); }))
    {
    }
    /// Several at once.
    options(std::initializer_list<std::string> given) : options()
    {
        for (const std::string &one : given) {
            add(one);
        }
    }
    /// One more.
    options &add(const std::string &assignment)
    {
        duet_error fault = DUET_ERROR_INIT;
        detail::check(duet_options_add(handle_.get(), assignment.c_str(), &fault), fault);
        return *this;
    }
    /// The handle.
    const duet_options *get() const noexcept
    {
        return handle_.get();
    }

  private:
    using owned = detail::owned<duet_options, duet_options_free>;
    owned handle_;
};

/// A request to stop, which any thread may make.
class cancel
{
  public:
    cancel() : handle_(duet_cancel_create())
    {
        if (handle_ == nullptr) {
            throw std::bad_alloc();
        }
    }
    /// Asks every call that was given this to stop soon.
    void request() noexcept
    {
        duet_cancel_request(handle_.get());
    }
    /// Whether anybody asked.
    bool requested() const noexcept
    {
        return duet_cancel_requested(handle_.get());
    }
    /// The handle.
    const duet_cancel *get() const noexcept
    {
        return handle_.get();
    }

  private:
    detail::owned<duet_cancel, duet_cancel_free> handle_;
};

/// A processor type and how many of it there are.
struct processors {
    std::string name;   ///< what it is called
    std::int64_t count; ///< how many there are
};

/// A problem. Shared: a copy is the same problem, and lives as long as anything needs it.
class instance
{
  public:
    /// Takes over a handle.
    explicit instance(duet_instance *handle) : handle_(handle, duet_instance_free)
    {
    }
    /// From arrays: a time for each task and type, in ticks, DUET_FORBIDDEN where it may not run;
    /// edges are (from, to, 0).
    instance(const std::vector<processors> &platform,
             const std::vector<std::vector<std::int64_t>> &times,
             const std::vector<duet_edge> &edges = {}, const std::string &name = "unnamed")
        : instance(describe(platform, times, edges, name))
    {
    }
    /// From a description, with all that the library knows: costs, releases, moldable tasks.
    explicit instance(const duet_instance_desc &description)
        : instance(make([&](auto **out, auto *fault) {
              return duet_instance_create(&description, out, fault);
          }))
    {
    }
    /// Reads a file of any format.
    static instance read(const std::string &path, const duet_read_params *params = nullptr)
    {
        return make([&](auto **out, auto *fault) {
            return duet_read_instance(path.c_str(), params, out, fault);
        });
    }
    /// Makes one of a family.
    static instance generate(const std::string &family, std::int64_t n,
                             const std::vector<std::int64_t> &counts, std::uint64_t seed = 0)
    {
        const duet_generate_params params = {sizeof params, n,    counts.size(),
                                             counts.data(), seed, nullptr};
        return make([&](auto **out, auto *fault) {
            return duet_generate(family.c_str(), &params, out, fault);
        });
    }
    /// Writes a file; the format follows from the ending where none is given.
    void write(const std::string &path, const char *format = nullptr) const
    {
        duet_error fault = DUET_ERROR_INIT;
        detail::check(duet_write_instance(path.c_str(), format, get(), &fault), fault);
    }

    /// As in its file, or as given.
    std::string name() const
    {
        return duet_instance_name(get());
    }
    /// Number of tasks.
    std::int64_t tasks() const noexcept
    {
        return duet_instance_tasks(get());
    }
    /// Processor types.
    std::size_t types() const noexcept
    {
        return duet_instance_types(get());
    }
    /// What a type is called.
    std::string type_name(std::size_t type) const
    {
        return duet_instance_type_name(get(), type);
    }
    /// Processors of a type.
    std::int64_t count(std::size_t type) const noexcept
    {
        return duet_instance_type_count(get(), type);
    }
    /// Of a task on a type, in ticks; DUET_FORBIDDEN where it may not run.
    std::int64_t time(std::int64_t task, std::size_t type) const noexcept
    {
        return duet_instance_time(get(), duet_instance_kind_of(get(), task), type);
    }
    /// The time of day of time 0, "2026-11-27T09:00:00"; "" where it is not known.
    std::string start() const
    {
        char text[64];
        const char *known = duet_instance_start(get(), text);
        return known == nullptr ? "" : known;
    }
    /// Says the time of day of time 0, also for all copies of this object; throws where the unit of
    /// the times is not known.
    void set_start(const std::string &start)
    {
        duet_error fault = DUET_ERROR_INIT;
        detail::check(duet_instance_set_start(handle_.get(), start.c_str(), &fault), fault);
    }
    /// What was left out or rounded when it was read; "" where nothing was.
    std::string notice() const
    {
        const char *said = duet_instance_notice(get());
        return said == nullptr ? "" : said;
    }
    /// The handle.
    const duet_instance *get() const noexcept
    {
        return handle_.get();
    }

  private:
    template <class Function> static instance make(Function function)
    {
        using owned = detail::owned<duet_instance, duet_instance_free>;
        return instance(detail::make<owned>(function).release());
    }
    static duet_instance *describe(const std::vector<processors> &platform,
                                   const std::vector<std::vector<std::int64_t>> &times,
                                   const std::vector<duet_edge> &edges, const std::string &name)
    {
        std::vector<duet_type> types;
        std::vector<std::int64_t> flat;
        for (const processors &type : platform) {
            types.push_back({type.name.c_str(), type.count});
        }
        for (const auto &row : times) {
            if (row.size() != platform.size()) {
                throw std::invalid_argument("duet::instance: expected a time for each type");
            }
            flat.insert(flat.end(), row.begin(), row.end());
        }
        duet_instance_desc desc{};
        desc.struct_size = sizeof desc;
        desc.name = name.c_str();
        desc.types = types.size();
        desc.platform = types.data();
        desc.kinds = times.size();
        desc.times = flat.data();
        desc.edges = edges.size();
        desc.edge = edges.data();
        using owned = detail::owned<duet_instance, duet_instance_free>;
        return detail::make<owned>(
                   [&](auto **out, auto *fault) { return duet_instance_create(&desc, out, fault); })
            .release();
    }

    std::shared_ptr<duet_instance> handle_;
};

/// A schedule with what is proven about it. It keeps its instance.
class solution
{
  public:
    /// Takes over a handle.
    solution(instance problem, duet_solution *handle)
        : problem_(std::move(problem)), handle_(handle, duet_solution_free)
    {
    }
    /// What it is a schedule of.
    const instance &problem() const noexcept
    {
        return problem_;
    }
    /// Latest completion, in ticks.
    std::int64_t makespan() const noexcept
    {
        return duet_solution_makespan(get());
    }
    /// No schedule is shorter, in ticks; 0 where nothing is known.
    std::int64_t lower_bound() const noexcept
    {
        return duet_solution_lower_bound(get());
    }
    /// Whether the bound proves that no schedule is shorter.
    bool optimal() const noexcept
    {
        return duet_solution_status(get()) == DUET_OPTIMAL;
    }
    /// "optimal", "bounded" or "feasible".
    std::string status() const
    {
        return duet_status_name(duet_solution_status(get()));
    }
    /// The algorithm that was asked.
    std::string algorithm() const
    {
        return duet_solution_algorithm(get());
    }
    /// What proved the lower bound; "" where nothing did.
    std::string bound_name() const
    {
        return text(duet_solution_bound_name(get()));
    }
    /// What ended the search early, such as "time limit reached"; "" where nothing did.
    std::string ending() const
    {
        return text(duet_solution_ending(get()));
    }
    /// Why, where that was neither time nor cancellation; "" otherwise.
    std::string note() const
    {
        return text(duet_solution_note(get()));
    }
    /// Where a task runs.
    duet_placement place(std::int64_t task) const
    {
        const duet_placement *places = duet_solution_placements(get());
        if (places == nullptr) {
            throw std::bad_alloc();
        }
        return places[task];
    }
    /// When a task ends.
    std::int64_t end(std::int64_t task) const noexcept
    {
        return duet_solution_end(get(), problem_.get(), task);
    }
    /// Has the independent checker look at it, and says how far its bound is proven; throws where
    /// it finds a fault.
    duet_bound_check verify() const
    {
        duet_error fault = DUET_ERROR_INIT;
        duet_bound_check check = DUET_BOUND_NONE;
        detail::check(duet_check_solution(problem_.get(), get(), nullptr, &check, &fault), fault);
        return check;
    }
    /// Has the checker read the file of a proof by search; throws where it does not prove the
    /// bound.
    void verify(const std::string &proof) const
    {
        duet_error fault = DUET_ERROR_INIT;
        detail::check(duet_verify_proof(problem_.get(), proof.c_str(),
                                        duet_solution_lower_bound(get()), nullptr, nullptr, &fault),
                      fault);
    }
    /// Writes it as JSON.
    void write(const std::string &path) const
    {
        duet_error fault = DUET_ERROR_INIT;
        detail::check(duet_write_solution(path.c_str(), problem_.get(), get(), &fault), fault);
    }
    /// The handle.
    const duet_solution *get() const noexcept
    {
        return handle_.get();
    }

  private:
    static std::string text(const char *given)
    {
        return given == nullptr ? "" : given;
    }

    instance problem_;
    std::shared_ptr<duet_solution> handle_;
};

/// A task that is revealed to an online rule, during its call alone.
class revealed
{
  public:
    /// Of a handle that a rule is given.
    explicit revealed(const duet_revealed *task) : task_(task)
    {
    }
    /// Its index.
    std::int64_t task() const noexcept
    {
        return duet_revealed_task(task_);
    }
    /// When it is revealed, in ticks.
    std::int64_t now() const noexcept
    {
        return duet_revealed_now(task_);
    }
    /// Processor types.
    std::size_t types() const noexcept
    {
        return duet_revealed_types(task_);
    }
    /// Its time on a type; DUET_FORBIDDEN where it may not run.
    std::int64_t time(std::size_t type) const noexcept
    {
        return duet_revealed_time(task_, type);
    }
    /// When it would start on a type.
    std::int64_t start(std::size_t type) const noexcept
    {
        return duet_revealed_start(task_, type);
    }

  private:
    const duet_revealed *task_;
};

/// What an algorithm of the caller's is given, during its call alone.
class work
{
  public:
    /// Of what an algorithm is given.
    work(const duet_instance *problem, duet_work *handle) : problem_(problem), handle_(handle)
    {
    }
    /// Number of tasks.
    std::int64_t tasks() const noexcept
    {
        return duet_instance_tasks(problem_);
    }
    /// Processor types.
    std::size_t types() const noexcept
    {
        return duet_instance_types(problem_);
    }
    /// Processors of a type.
    std::int64_t count(std::size_t type) const noexcept
    {
        return duet_instance_type_count(problem_, type);
    }
    /// Of a task on a type, in ticks; DUET_FORBIDDEN where it may not run.
    std::int64_t time(std::int64_t task, std::size_t type) const noexcept
    {
        return duet_instance_time(problem_, duet_instance_kind_of(problem_, task), type);
    }
    /// Places a task.
    void place(std::int64_t task, std::size_t type, std::int64_t processor, std::int64_t start)
    {
        duet_error fault = DUET_ERROR_INIT;
        detail::check(duet_work_place(handle_, task, type, processor, start, &fault), fault);
    }
    /// When a task can start on a processor behind all that was placed.
    std::int64_t start(std::int64_t task, std::size_t type, std::int64_t processor)
    {
        duet_error fault = DUET_ERROR_INIT;
        std::int64_t at = 0;
        detail::check(duet_work_start(handle_, task, type, processor, &at, &fault), fault);
        return at;
    }
    /// Places all tasks by an order, an allocation, or both; an empty one is the library's to make.
    void list(const std::vector<std::int64_t> &order, const std::vector<std::size_t> &types = {})
    {
        auto whole = [this](std::size_t size) {
            return size == 0 || size == static_cast<std::size_t>(tasks());
        };
        if (!whole(order.size()) || !whole(types.size())) {
            throw std::invalid_argument("duet::work::list: expected an entry for each task");
        }
        duet_error fault = DUET_ERROR_INIT;
        detail::check(duet_work_list(handle_, order.empty() ? nullptr : order.data(),
                                     types.empty() ? nullptr : types.data(), &fault),
                      fault);
    }
    /// The problem, as a handle.
    const duet_instance *problem() const noexcept
    {
        return problem_;
    }
    /// The handle.
    duet_work *get() const noexcept
    {
        return handle_;
    }

  private:
    const duet_instance *problem_;
    duet_work *handle_;
};

/// Algorithms of the caller's own. One registry is for one call of solve() at a time.
class registry
{
  public:
    registry()
        : handle_(detail::make<owned>(
              [](auto **out, auto *fault) { return duet_registry_create(out, fault); }))
    {
    }
    /// An online rule: the type that each revealed task goes to.
    void add_rule(const std::string &name, std::function<std::size_t(const revealed &)> choose)
    {
        rows_.push_back(std::make_unique<row>(row{std::move(choose), {}, {}}));
        duet_custom custom = start(name);
        custom.choose = [](void *user, const duet_revealed *task) -> std::size_t {
            row &own = *static_cast<row *>(user);
            return own.guard([&] { return own.choose(revealed(task)); }, SIZE_MAX);
        };
        add(custom);
    }
    /// An algorithm, which places every task; it handles task graphs where `graphs` says so.
    void add(const std::string &name, std::function<void(work &)> run, bool graphs = true)
    {
        rows_.push_back(std::make_unique<row>(row{{}, std::move(run), {}}));
        duet_custom custom = start(name);
        custom.handles = graphs ? DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION : 0;
        custom.run = [](void *user, const duet_instance *problem, duet_work *given,
                        duet_error *) -> duet_code {
            row &own = *static_cast<row *>(user);
            return own.guard(
                [&] {
                    work wrapped(problem, given);
                    own.run(wrapped);
                    return DUET_OK;
                },
                DUET_E_USAGE);
        };
        add(custom);
    }
    /// The handle.
    const duet_registry *get() const noexcept
    {
        return handle_.get();
    }
    /// Throws what a function of this registry threw, once.
    void rethrow() const
    {
        for (const auto &one : rows_) {
            if (std::exception_ptr thrown = std::exchange(one->thrown, nullptr)) {
                std::rethrow_exception(thrown);
            }
        }
    }

  private:
    using owned = detail::owned<duet_registry, duet_registry_free>;
    struct row {
        std::function<std::size_t(const revealed &)> choose;
        std::function<void(work &)> run;
        std::exception_ptr thrown;

        template <class Function, class Value>
        auto guard(Function function, Value failed) noexcept -> decltype(function())
        {
            try {
                return thrown == nullptr ? function() : failed;
            } catch (...) {
                thrown = std::current_exception();
                return failed;
            }
        }
    };

    duet_custom start(const std::string &name)
    {
        duet_custom custom{};
        custom.struct_size = sizeof custom;
        custom.name = name.c_str();
        custom.user = rows_.back().get();
        return custom;
    }
    void add(const duet_custom &custom)
    {
        duet_error fault = DUET_ERROR_INIT;
        duet_code code = duet_registry_add(handle_.get(), &custom, &fault);
        if (code != DUET_OK) {
            rows_.pop_back();
        }
        detail::check(code, fault);
    }

    std::vector<std::unique_ptr<row>> rows_;
    owned handle_;
};

/// How to run; what is not set is as duet_params has it.
struct settings {
    double time_limit = 0;                    ///< seconds; 0: none
    int threads = 0;                          ///< 0: all processors
    std::size_t memory_limit = 0;             ///< bytes; 0: half of what is free
    std::uint64_t seed = 0;                   ///< of everything random
    const duet::options *options = nullptr;   ///< of the algorithm
    const duet::cancel *cancel = nullptr;     ///< a request to stop
    const duet::registry *registry = nullptr; ///< algorithms of the caller's own
    /// Called now and then. What it throws is thrown by solve(), which then asks the search to
    /// stop: give a `cancel` beside it, or it goes on to its end before that.
    std::function<void(const duet_progress &)> progress;
};

/// Schedules the tasks by an algorithm, or, where none is named, by the best there is for them.
/// Throws duet::error, std::bad_alloc, and what functions of the caller throw.
inline solution solve(const instance &problem, const std::optional<std::string> &algorithm = {},
                      const settings &how = {})
{
    struct reported {
        const settings *how;
        duet::cancel own;
        std::exception_ptr thrown;
    } state{&how, {}, {}};
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = how.time_limit;
    params.threads = how.threads;
    params.memory_limit = how.memory_limit;
    params.seed = how.seed;
    params.options = how.options == nullptr ? nullptr : how.options->get();
    params.cancel = how.cancel == nullptr ? state.own.get() : how.cancel->get();
    params.registry = how.registry == nullptr ? nullptr : how.registry->get();
    params.user = &state;
    if (how.progress) {
        params.progress = [](void *user, const duet_progress *now) {
            reported &own = *static_cast<reported *>(user);
            try {
                if (own.thrown == nullptr) {
                    own.how->progress(*now);
                }
            } catch (...) {
                own.thrown = std::current_exception();
                own.own.request();
            }
        };
    }
    duet_error fault = DUET_ERROR_INIT;
    duet_solution *found = nullptr;
    duet_code code = duet_solve(problem.get(), algorithm ? algorithm->c_str() : nullptr, &params,
                                &found, &fault);
    solution made(problem, found);
    if (state.thrown != nullptr) {
        std::rethrow_exception(state.thrown);
    }
    if (how.registry != nullptr) {
        how.registry->rethrow();
    }
    detail::check(code, fault);
    return made;
}

/// A lower bound with what proves it: no schedule of its instance is shorter. It keeps its
/// instance.
class lower_bound
{
  public:
    /// Takes over a handle.
    lower_bound(instance problem, duet_bound *handle)
        : problem_(std::move(problem)), handle_(handle, duet_bound_free)
    {
    }
    /// Which bound it is.
    std::string name() const
    {
        return duet_bound_name(get());
    }
    /// In ticks.
    std::int64_t value() const noexcept
    {
        return duet_bound_value(get());
    }
    /// The exact value in ticks, "p/q"; "" where it comes from a linear program.
    std::string exact() const
    {
        return duet_bound_exact(get());
    }
    /// What proves it, which belongs to this object; of DUET_PROOF_NONE where nothing does.
    const duet_certificate *certificate() const noexcept
    {
        return duet_bound_certificate(get());
    }
    /// The kind of that argument, as in files: "area"; "none" where nothing proves it.
    std::string proof() const
    {
        return duet_proof_name(duet_certificate_proof(certificate()));
    }
    /// Has the independent checker look at it: how far it is proven. Throws where the certificate
    /// is wrong.
    duet_bound_check verify() const
    {
        duet_error fault = DUET_ERROR_INIT;
        duet_bound_check check = DUET_BOUND_NONE;
        detail::check(duet_check_bound(problem_.get(), get(), nullptr, &check, &fault), fault);
        return check;
    }
    /// Whether the certificate proves it.
    bool certified() const
    {
        return verify() == DUET_BOUND_CERTIFIED;
    }
    /// What it is a bound of.
    const instance &problem() const noexcept
    {
        return problem_;
    }
    /// A number of ticks where one is expected.
    operator std::int64_t() const noexcept
    {
        return value();
    }
    /// The handle.
    const duet_bound *get() const noexcept
    {
        return handle_.get();
    }

  private:
    instance problem_;
    std::shared_ptr<duet_bound> handle_;
};

/// The lower bound of that name, which `duet list bounds` lists. Throws duet::error, also where it
/// says nothing of such instances, or a limit ended it.
inline lower_bound bound(const instance &problem, const std::string &name, const settings &how = {})
{
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = how.time_limit;
    params.threads = how.threads;
    params.memory_limit = how.memory_limit;
    params.options = how.options == nullptr ? nullptr : how.options->get();
    params.cancel = how.cancel == nullptr ? nullptr : how.cancel->get();
    duet_error fault = DUET_ERROR_INIT;
    duet_bound *found = nullptr;
    duet_code code = duet_compute_bound(problem.get(), name.c_str(), &params, &found, &fault);
    lower_bound made(problem, found);
    detail::check(code, fault);
    return made;
}

} // namespace duet

#endif
