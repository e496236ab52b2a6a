/// The parameters that coefficients were made from, so that they are made once and not for every call.
struct EffectKey: BitwiseCopyable {
  /// NaN is equal to no parameter.
  private var values = SIMD16<Double>(repeating: .nan)

  @_noLocks init() {}

  /// - Parameter count: at most 16.
  @_noLocks init(_ parameters: UnsafePointer<Double>, count: Int) {
    for index in 0..<count { values[index] = parameters[index] }
  }

  @_noLocks func isEqual(to parameters: UnsafePointer<Double>, count: Int) -> Bool {
    for index in 0..<count where values[index] != parameters[index] { return false }
    return true
  }
}
