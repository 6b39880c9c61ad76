#pragma once

#include "sweepdyn/operators/plan.hpp"

namespace sweepdyn::algebra {

// A plan's loops as lines of text or of LaTeX.
class LoopLines {
public:
    LoopLines(const Plan& plan, bool latex);

    // Values by letters: x the operand, e over hinges, z forces and y motions of bodies, f over frames, h of the world;
    // numbered in the order in which they are computed.
    std::string name(int v) const;

    // "z2(p) += phi(p,k) z1(k)"
    std::string line(const Instruction& ins) const;

private:
    std::string given(const std::string& named) const;
    char letter(int v) const;
    Space space_of(int v) const { return plan_.values()[static_cast<std::size_t>(v)].space.space; }
    // The block of a body; of a frame, whatever the body; the whole, where there is but one.
    std::string block(int v, const char* body) const;

    // D and G of something else than the mass operator.
    std::string articulated(Articulated of) const;
    std::string operation(const Instruction& ins) const;
    std::string remark(Instruction::Op op) const;

    const Plan& plan_;
    bool latex_;
    std::vector<int> computed_; // values, as they appear
};

} // namespace sweepdyn::algebra
