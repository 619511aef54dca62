// Programs of the vector engine: activations, error functions and trigonometry.
#ifndef TT_RUNTIME_NUMERICS_ISA_VECTOR_FUNCTIONS_H
#define TT_RUNTIME_NUMERICS_ISA_VECTOR_FUNCTIONS_H

#include "numerics/isa/vector_programs.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

class VectorFunctions : public VectorPrograms {
public:
  using VectorPrograms::VectorPrograms;

  //===-- Activations -----------------------------------------------------===//

  Lanes sigmoid(const Lanes &x) const {
    if (!mode.approx)
      return rounded(sigmoidInner(x));
    const Lanes part =
        halfTable(x, 4, {0x33d9, 0x32f4, 0x318a, 0x300a, 0x2a35, 0x7c00},
                  {0x7c00, 0x23c8, 0x2baa, 0x3027, 0x34cc, 0x37ff});
    return add(withSign(part, x), 0.5f);
  }

  Lanes silu(const Lanes &x) const { return rounded(mul(x, sigmoidInner(x))); }

  Lanes tanh(const Lanes &x) const {
    if (mode.approx)
      return byteTable(x, {0x1dff, 0x481a, 0xff00});
    if (!mode.wide) {
      const Lanes r =
          horner(magnitude(x), 0, 0.999004364013671875f, 0.030897438526153564f,
                 -0.48906597495079f, 0.28191763162612915f,
                 -0.066649019718170166f, 0.005876733921468258f);
      return round16(withSign(minimum(r, 1.0f), x));
    }
    const Lanes near =
        mul(x, horner(mul(x, x), 0.99999994039535522f, -0.33332359790802f,
                      0.13310669362545013f, -0.05211976543068886f,
                      0.015497927553951740f));
    const Lanes far = mad(2.0f, sigmoidInner(mul(2.0f, x)), -1.0f);
    return select(isLess(magnitude(x), Lanes(0.6f)), near, far);
  }

  Lanes gelu(const Lanes &x) const {
    if (mode.approx)
      return add(mul(x, 0.5f),
                 halfTable(x, 3,
                           {0x322b, 0x37e7, 0x38f3, 0x38e1, 0x3852, 0x3800},
                           {0x86d8, 0xb122, 0xb479, 0xb437, 0xafa4, 0x7c00}));
    return mode.wide ? gelu32(x) : gelu16(x);
  }

  Lanes mish(const Lanes &x) const {
    const Lanes u = mode.approx ? expOfPower(x) : expInner(x);
    const Lanes one = add(u, 1.0f);
    const Lanes d = mad(one, one, 1.0f);
    const Lanes r = reciprocalInner(d, mode.approx ? 0 : mode.wide ? 2 : 1);
    const Lanes n = mul(u, add(u, 2.0f));
    const Lanes result = mul(x, mul(n, r));
    if (mode.wormhole)
      return rounded(select(greater(8.0f, x), result, x));
    const Lanes positive = mad(flipSign(mul(2.0f, x)), r, x);
    return rounded(select(isNegative(x), result, positive));
  }

  Lanes hardSigmoid(const Lanes &x) const {
    Lanes result = mad(x, 0.16666667163f, 0.5f);
    result = select(greater(result, 1.0f), 1.0f, result);
    return rounded(select(isNegative(result), zero(), result));
  }

  Lanes relu(const Lanes &x) const { return maximum(x, 0.0f); }
  Lanes relu6(const Lanes &x) const {
    const Lanes limited = select(greater(x, 6.0f), 6.0f, x);
    return select(isNegative(limited), zero(), limited);
  }
  Lanes leakyRelu(const Lanes &x, float slope) const {
    return rounded(select(isNegative(x), mul(x, slope), x));
  }

  //===-- Error functions -------------------------------------------------===//

  Lanes erf(const Lanes &x) const {
    const Lanes clamped = maximum(minimum(x, 10.0f), -10.0f);
    return rounded(mode.wide ? erf32(clamped) : erf16(clamped));
  }

  Lanes erfc(const Lanes &x) const {
    const Lanes a = magnitude(x), s = mul(x, x);
    const Lanes near =
        mad(flipSign(a),
            horner(s, 1.1283125367f, -0.37556339817f, 0.11125811263f,
                   -0.024775019023f, 0.0037510146011f, -2.8441375985e-4f),
            1.0f);
    // exp(-c^2) times 2^32, for which the coefficients compensate.
    const Lanes c = minimum(a, 10.0f);
    const Lanes e =
        powerOfSum(mad(mul(flipSign(c), c), kLog2E, 127.0f + 32), kFirst);
    const Lanes i = reciprocalInner(c);
    const Lanes far =
        mul(mul(e, i),
            horner(mul(i, i), 1.3134962886e-10f, -6.4860935059e-11f,
                   8.2414139191e-11f, -1.0321147863e-10f, 6.5989263674e-11f));
    const Lanes result = select(isLess(a, Lanes(1.5f)), near, far);
    return rounded(select(isNegative(x), add(2.0f, flipSign(result)), result));
  }

  //===-- Trigonometry ----------------------------------------------------===//

  Lanes sin(const Lanes &x) const {
    const Lanes whole = mad(x, kOverPi, kRounder);
    const Lanes j = add(whole, -kRounder);
    Lanes a = mad(j, -0x1.92p+1f, x);
    a = mad(j, -0x1.fbp-11f, a);
    a = mad(j, -0x1.51p-21f, a);
    a = mad(j, -0x1.0b4612p-33f, a);
    return sinOfRest(a ^ (whole << 31));
  }

  Lanes cos(const Lanes &x) const {
    const Lanes whole = add(mad(x, kOverPi, 0.5f), kRounder);
    const Lanes j = mad(2.0f, add(whole, -kRounder), -1.0f);
    Lanes a = mad(j, -0x1.92p+0f, x);
    a = mad(j, -0x1.fbp-12f, a);
    a = mad(j, -0x1.51p-22f, a);
    a = mad(j, -0x1.0b4612p-34f, a);
    return sinOfRest(a ^ (whole << 31));
  }

private:
  static constexpr float kOverPi = 0.31830987334f;
  /// Adding it rounds to an integer.
  static constexpr float kRounder = 12582912.0f;

  /// The sine for the range from -pi / 2 to pi / 2.
  Lanes sinOfRest(const Lanes &a) const {
    const Lanes s = mul(a, a);
    const Lanes r =
        mode.wide ? steps(0x1.5dc908p-19f, s, -0x1.9f70fp-13f, 0x1.110edap-7f,
                          -0x1.55554cp-3f)
                  : steps(-0x1.8b10a4p-13f, s, 0x1.10c2a2p-7f, -0x1.5554a4p-3f);
    return rounded(mad(r, mul(a, s), a));
  }

  Lanes sigmoidInner(const Lanes &x) const {
    return reciprocalInner(add(1.0f, expInner(flipSign(x))));
  }

  Lanes erf16(const Lanes &x) const {
    const Lanes s = mul(x, x);
    const Lanes p = mul(horner(s, 1.1280932447f, 0.27609212279f,
                               0.045400281738f, 7.4481184425e-4f),
                        x);
    const Lanes q = horner(s, 1, 0.57439188334f, 0.1367576481f,
                           0.0082844606784f, 2.4813862145e-5f);
    return withinOne(mul(p, reciprocalInner(q)));
  }
  Lanes erf32(const Lanes &x) const {
    const Lanes s = mul(x, x);
    const Lanes p =
        mul(horner(s, 1.1283791065f, 0.21477432549f, 0.06213343516f,
                   0.0056230435148f, 6.1307044234e-4f, 1.7678321456e-5f,
                   2.7384647439e-8f, -2.8632063387e-10f),
            x);
    const Lanes q =
        horner(s, 1, 0.52367275953f, 0.12961706519f, 0.019642570987f,
               0.0019545555115f, 1.3179056987e-4f, 1.3156344494e-6f,
               -3.5153888689e-9f, -6.7350725691e-12f);
    return withinOne(mul(p, reciprocalInner(q)));
  }
  static Lanes withinOne(const Lanes &x) {
    return maximum(minimum(x, 1.0f), -1.0f);
  }

  static constexpr float kNoGelu = -5.54259443f;

  Lanes gelu32(const Lanes &x) const {
    const Lanes e = erf32(minimum(mul(x, 0.70710678f), 10.0f));
    Lanes result = mul(x, mad(0.5f, e, 0.5f));
    result = select(isEqual(e, 0xbf800000u), mul(x, 0x1p-25f), result);
    return select(greater(x, kNoGelu), result, zero());
  }

  Lanes gelu16(const Lanes &x) const {
    const Lanes s = mul(x, x);
    // The tail: exp(-x^2 / 2) times a polynomial. Adding 0.375 and subtracting
    // it again drops low bits.
    Lanes h = mul(powerOfSum(mad(s, -0.72134752044f, 127.0f), kFirst),
                  horner(x, 0.30369991064f, 0.095413386822f, 0.013809983619f,
                         7.5950479368e-4f));
    h = add(add(h, 0.375f), -0.375f);
    const Lanes tail = mul(x, h);
    const Lanes middle =
        mul(x, mad(x,
                   horner(s, 0.39894227818f, -0.066361041488f, 0.0097720050615f,
                          -0.0010717806322f, 8.1812159812e-5f,
                          -3.8082057209e-6f, 7.9821413868e-8f),
                   0.5f));
    Lanes result = select(greater(x, kNoGelu), tail, zero());
    result = select(greater(-3.125f, x), result, middle);
    return round16(select(greater(2.78125f, x), result, x));
  }
};

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_VECTOR_FUNCTIONS_H
