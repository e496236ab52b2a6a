import DAWTime

/// A value over time: points with curves between them. It depends on the frame's number alone, so neither block size
/// nor the start of playback changes it.
///
/// Between two points the curve is v₀ + (v₁ − v₀) × s(x), with x from 0 to 1, of the value or of what `scale` names.
/// It is computed at knots, which are the points and the frames that 16 divides, and goes straight between: at frame n
/// between the knots k₀ and k₁, a + (n − k₀) × ((b − a) / (k₁ − k₀)), in `Double`. Outside the points it has the
/// nearest one's value.
///
/// A jump from a to b at frame f, which is the end of a `hold` or a second point at one frame, adds
/// (a − b) × (1 − (n − f) / 64) to the 64 frames from f on: to the value at each frame, or at knots to a pan position.
public struct Curve: Hashable, Sendable {
  public struct Point: BitwiseCopyable, Hashable, Sendable {
    /// Timeline frame; may be negative.
    public var frame: TimelineFrame
    /// The value that the curve has here, and where it rests.
    public var value: Double
    /// What is interpolated: see `Scale`.
    public var argument: Double
    /// The shape of the curve from here to the next point.
    public var shape: Shape

    /// A point of a linear scale.
    public init(_ frame: TimelineFrame, _ value: Double, _ shape: Shape = .linear) {
      self.init(frame, value, argument: value, shape)
    }

    public init(_ frame: TimelineFrame, _ value: Double, argument: Double, _ shape: Shape) {
      self.frame = frame
      self.value = value
      self.argument = argument
      self.shape = shape
    }
  }

  /// What is interpolated between two points, and the value that follows from it.
  public enum Scale: BitwiseCopyable, Hashable, Sendable {
    /// The value.
    case linear
    /// The value's log₂: levels in dB, frequencies and times. From or to 0, the value.
    case logarithmic
    /// A pan position, −1 … 1: the value is the gain of a side.
    case left(PanLaw)
    case right(PanLaw)

    var isLogarithmic: Bool { @_noLocks get { if case .logarithmic = self { true } else { false } } }

    var isSide: Bool {
      @_noLocks get {
        switch self {
        case .linear, .logarithmic: false
        case .left, .right: true
        }
      }
    }
  }

  /// The gains of both sides for a pan position p, with u = (1 − p) / 2 for the left and (1 + p) / 2 for the right.
  public enum PanLaw: BitwiseCopyable, Hashable, Sendable {
    /// sin(πu/2)
    case constantPowerMinus3dB
    /// u
    case linearMinus6dB
    /// √(u sin(πu/2))
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case compromiseMinus4_5dB
    /// min(1, 2u); also of stereo strips.
    case balance0dB
  }

  /// Frames over which a jump is spread.
  static var jumpFrames: Int { @_noLocks get { 64 } }

  /// At least one, each at a later frame than the one before; two at one frame are a jump.
  public var points: [Point]
  public var scale: Scale
  /// Whether jumps are spread over 64 frames; not those of switches.
  public var smoothsJumps: Bool

  public init(_ points: [Point], scale: Scale = .linear, smoothsJumps: Bool = true) {
    self.points = points
    self.scale = scale
    self.smoothsJumps = smoothsJumps
  }
}

extension Curve: CustomStringConvertible {
  public var description: String {
    points.map { "\($0.value) at \($0.frame)" + ($0.shape == .linear ? "" : " \($0.shape)") }
      .joined(separator: " … ")
  }
}
