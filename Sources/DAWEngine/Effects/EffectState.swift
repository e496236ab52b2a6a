/// An effect's memory, and its computation. Made and freed on a control thread; used by one thread at a time.
///
/// A sample that is NaN, infinite or beyond 2⁶⁴ (+385 dBFS) counts as silence, so nothing a strip is fed stays in the
/// memory for ever. A sample below 2⁻¹²⁶, which processors may or may not flush to zero, is zero, in and out.
public final class EffectState: @unchecked Sendable {
  /// The memory of each kind, freed by `deinit`.
  private enum Kernel {
    case eq(UnsafeMutablePointer<Equalizer>)
    case compressor(UnsafeMutablePointer<Compressor>)
    case limiter(UnsafeMutablePointer<Limiter>)
    case delay(UnsafeMutablePointer<Echo>)
    case gate(UnsafeMutablePointer<Gate>)
    case reverb(UnsafeMutablePointer<Reverb>)
  }

  /// Frames; as `EffectSetup.latency`.
  public let latency: Int
  private let kernel: Kernel

  /// Allocates all memory and touches it.
  /// - Parameter instructions: which vector instructions may be used. No value changes a bit.
  public init(_ setup: EffectSetup, instructions: Instructions = .best) {
    let path = instructions.path
    latency = setup.latency
    kernel =
      switch setup.kind {
      case .eq: .eq(Self.allocated(Equalizer(rate: setup.sampleRate, path: path)))
      case .compressor:
        .compressor(
          Self.allocated(Compressor(rate: setup.sampleRate, lookAhead: setup.lookAheadFrames(0...10), path: path)))
      case .limiter:
        .limiter(Self.allocated(Limiter(rate: setup.sampleRate, lookAhead: setup.lookAheadFrames(1...10))))
      case .delay: .delay(Self.allocated(Echo(rate: setup.sampleRate)))
      case .gate: .gate(Self.allocated(Gate(rate: setup.sampleRate, path: path)))
      case .reverb: .reverb(Self.allocated(Reverb(rate: setup.sampleRate, size: setup.size)))
      }
  }

  private static func allocated<Effect>(_ effect: Effect) -> UnsafeMutablePointer<Effect> {
    let memory = UnsafeMutablePointer<Effect>.allocate(capacity: 1)
    memory.initialize(to: effect)
    return memory
  }

  deinit {
    switch kernel {
    case .eq(let effect):
      effect.pointee.free()
      effect.deallocate()
    case .compressor(let effect):
      effect.pointee.free()
      effect.deallocate()
    case .limiter(let effect):
      effect.pointee.free()
      effect.deallocate()
    case .delay(let effect):
      effect.pointee.free()
      effect.deallocate()
    case .gate(let effect):
      effect.pointee.free()
      effect.deallocate()
    case .reverb(let effect):
      effect.pointee.free()
      effect.deallocate()
    }
  }

  /// Any thread. Empties the memory in a time that does not depend on how long its delays are.
  @_noLocks public func reset() {
    switch kernel {
    case .eq(let effect): effect.pointee.reset()
    case .compressor(let effect): effect.pointee.reset()
    case .limiter(let effect): effect.pointee.reset()
    case .delay(let effect): effect.pointee.reset()
    case .gate(let effect): effect.pointee.reset()
    case .reverb(let effect): effect.pointee.reset()
    }
  }

  /// Processes a piece in place. Any division into pieces gives the same bits.
  ///
  /// Parameters rest, or go from one knot to the next, 16 frames later. Between two knots the coefficients that follow
  /// from them go straight; toggles and choices stay as they were at the first.
  /// - Parameters:
  ///   - left: samples, full scale ±1.
  ///   - right: `nil` for a mono signal; `delay` and `reverb` need it.
  ///   - keyLeft: the side chain, of the same frames; `nil`: the signal is its own key. Only dynamics read it.
  ///   - keyRight: `nil` for a mono key.
  ///   - frameCount: at least 1.
  ///   - place: the number of the first frame in its stretch of 16 absolute frames, 0 … 15.
  ///   - start: values in the order of `EffectKind.parameterNames`: those of all frames, or, where there is an `end`,
  ///     those at the knot at or before the first frame.
  ///   - end: the values 16 frames later, or `nil` where parameters rest. `place + frameCount` is then at most 16.
  @_noLocks public func process(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>?, keyLeft: UnsafePointer<Float>?,
    keyRight: UnsafePointer<Float>?, frameCount: Int, place: Int, start: UnsafePointer<Double>,
    end: UnsafePointer<Double>?
  ) {
    let piece = EffectPiece(
      left: left, right: right, keyLeft: keyLeft ?? UnsafePointer(left),
      keyRight: keyLeft != nil ? keyRight : UnsafePointer(right), frameCount: frameCount, place: place,
      start: start, end: end)
    switch kernel {
    case .eq(let effect): effect.pointee.process(piece)
    case .compressor(let effect): effect.pointee.process(piece)
    case .limiter(let effect): effect.pointee.process(piece)
    case .delay(let effect): effect.pointee.process(piece)
    case .gate(let effect): effect.pointee.process(piece)
    case .reverb(let effect): effect.pointee.process(piece)
    }
  }

  /// Gain reduction since `reset` or `clearReduction`, in dB ≥ 0: the greatest, and the mean over frames. Both 0 for
  /// what is no dynamics effect. Read it while nothing is processed.
  public var reduction: (greatest: Double, mean: Double) {
    switch kernel {
    case .compressor(let effect): effect.pointee.reduction.levels
    case .limiter(let effect): effect.pointee.reduction.levels
    case .gate(let effect): effect.pointee.reduction.levels
    case .eq, .reverb, .delay: (0, 0)
    }
  }

  /// Lets `reduction` begin anew; no sample changes. Call it while nothing is processed.
  func clearReduction() {
    switch kernel {
    case .compressor(let effect): effect.pointee.clearReduction()
    case .limiter(let effect): effect.pointee.clearReduction()
    case .gate(let effect): effect.pointee.clearReduction()
    case .eq, .reverb, .delay: break
    }
  }
}
