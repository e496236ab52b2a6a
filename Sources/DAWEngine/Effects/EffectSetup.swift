/// What fixes an effect's memory and latency. A change of it makes a new state.
public struct EffectSetup: Hashable, Sendable {
  public var kind: EffectKind
  /// Hz.
  public var sampleRate: Int
  /// Of a compressor, 0 … 10 ms, or a limiter, 1 … 10 ms; ignored by the others.
  public var lookAhead: Double
  /// Of a reverb, 0.2 … 2, times the lengths of its delay lines; ignored by the others.
  public var size: Double

  public init(kind: EffectKind, sampleRate: Int, lookAhead: Double = 0, size: Double = 1) {
    self.kind = kind
    self.sampleRate = sampleRate
    self.lookAhead = lookAhead
    self.size = size
  }

  /// Frames ≥ 0: output frame i is for input frame i − `latency`.
  public var latency: Int {
    switch kind {
    case .compressor: lookAheadFrames(0...10)
    case .limiter: lookAheadFrames(1...10) + PeakInterpolator.delay(rate: sampleRate)
    case .eq, .gate, .delay, .reverb: 0
    }
  }

  /// The look-ahead in frames, rounded up.
  func lookAheadFrames(_ range: ClosedRange<Double>) -> Int {
    let milliseconds = min(max(lookAhead, range.lowerBound), range.upperBound)
    // A whole number of frames that the product misses by its last bits stays that number.
    return Int((milliseconds * Double(sampleRate) / 1_000 - 1e-6).rounded(.up))
  }
}
