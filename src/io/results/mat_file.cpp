// MAT-files by matio, where it was there.
#include <stdexcept>

#include "sweepdyn/io/results/state_space.hpp"

#ifdef SWEEPDYN_WITH_MATIO

#include <memory>

#include <matio.h>
#include <unistd.h>

#include "sweepdyn/io/results/behind_links.hpp"

namespace sweepdyn {
namespace {

namespace fs = std::filesystem;

class MatFile {
public:
    MatFile(const fs::path& path, const fs::path& name)
        : file_(Mat_CreateVer(path.c_str(), "MATLAB 5.0 MAT-file, a linear model by Sweepdyn", MAT_FT_MAT5)),
          name_(name)
    {
        if (!file_)
            throw std::runtime_error(name.string() +
                                     ": cannot be opened for writing; is the folder there, and yours?");
    }
    ~MatFile()
    {
        if (file_)
            Mat_Close(file_);
    }
    MatFile(const MatFile&) = delete;
    MatFile& operator=(const MatFile&) = delete;

    void close()
    {
        if (Mat_Close(std::exchange(file_, nullptr)) != 0)
            unfinished();
    }
    void numbers(const char* key, int rows, int columns, const double* values)
    {
        write(made(key, MAT_C_DOUBLE, MAT_T_DOUBLE, rows, columns, values, 0).get());
    }
    void text(const char* key, const std::string& value) { write(string(key, value).get()); }
    void texts(const char* key, const std::vector<std::string>& values)
    {
        std::vector<matvar_t*> cells;
        for (const std::string& value : values)
            cells.push_back(string(nullptr, value).release()); // the cell array frees them
        write(made(key, MAT_C_CELL, MAT_T_CELL, static_cast<int>(values.size()), 1, cells.data(), 0).get());
    }

private:
    struct Free {
        void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
    };
    using Variable = std::unique_ptr<matvar_t, Free>;

    Variable made(const char* key, matio_classes kind, matio_types type, int rows, int columns,
                  const void* values, int options) const
    {
        std::size_t sizes[] = {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)};
        Variable out(Mat_VarCreate(key, kind, type, 2, sizes, const_cast<void*>(values), options));
        if (!out)
            unfinished();
        return out;
    }
    Variable string(const char* key, const std::string& value) const
    {
        return made(key, MAT_C_CHAR, MAT_T_UTF8, value.empty() ? 0 : 1, static_cast<int>(value.size()),
                    value.data(), 0);
    }
    void write(matvar_t* variable)
    {
        if (Mat_VarWrite(file_, variable, MAT_COMPRESSION_NONE) != 0)
            unfinished();
    }
    [[noreturn]] void unfinished() const
    {
        throw std::runtime_error(name_.string() + ": cannot be written to its end; is the disk full?");
    }

    mat_t* file_;
    fs::path name_;
};

void require_finite(const std::string& key, std::span<const double> numbers)
{
    for (double number : numbers)
        if (!std::isfinite(number))
            throw RefusedError("result '" + key + "' is not finite (got " + number_text(number) +
                               "); the numbers of the state or of the model are too large");
}

// E: of the descriptor form; else null.
void write_mat(const StateSpace& system, const Matrix* E, const std::string& model, const fs::path& path)
{
    std::error_code error;
    const fs::path file_path = behind_links(path); // the link stays
    fs::path beside = file_path; // takes the name when it is complete
    beside += "." + std::to_string(getpid()) + ".part";
    std::vector<std::pair<const char*, const Matrix*>> matrices{
        {"A", &system.A}, {"B", &system.B}, {"C", &system.C}, {"D", &system.D}};
    if (E)
        matrices.insert(matrices.begin(), {"E", E});
    const std::pair<const char*, const std::vector<double>&> lists[] = {
        {"f0", system.f0}, {"x0", system.x0}, {"u0", system.u0}, {"y0", system.y0},
        {"q0", system.q0}, {"v0", system.v0}, {"T0", system.T0}};
    for (const auto& [key, A] : matrices)
        require_finite(key, A->values());
    for (const auto& [key, numbers] : lists)
        require_finite(key, numbers);
    if (fs::is_directory(path, error))
        throw std::runtime_error(path.string() + ": is a directory, expected the name of a file");
    try {
        MatFile file(beside, path);
        for (const auto& [key, A] : matrices)
            file.numbers(key, A->rows(), A->columns(), A->data());
        for (const auto& [key, numbers] : lists)
            file.numbers(key, static_cast<int>(numbers.size()), 1, numbers.data());
        file.texts("states", system.states);
        file.texts("inputs", system.inputs);
        file.texts("outputs", system.outputs);
        file.texts("notes", system.notes);
        file.text("model", model);
        file.close();
        fs::rename(beside, file_path);
    } catch (...) {
        fs::remove(beside, error);
        throw;
    }
}

} // namespace

bool writes_mat_files() { return true; }

void write_state_space_mat(const StateSpace& system, const std::string& model, const fs::path& path)
{
    write_mat(system, nullptr, model, path);
}
void write_state_space_mat(const DescriptorSystem& form, const std::string& model, const fs::path& path)
{
    write_mat(form.system, &form.E, model, path);
}

} // namespace sweepdyn

#else

namespace sweepdyn {

bool writes_mat_files() { return false; }

void write_state_space_mat(const StateSpace&, const std::string&, const std::filesystem::path& path)
{
    throw RefusedError(path.string() + ": this build of Sweepdyn writes no MAT-files, for matio was not "
                                       "there; install libmatio-dev and build "
                                       "again, or write JSON");
}
void write_state_space_mat(const DescriptorSystem& form, const std::string& model,
                           const std::filesystem::path& path)
{
    write_state_space_mat(form.system, model, path);
}

} // namespace sweepdyn

#endif
