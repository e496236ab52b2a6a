import CSampleCodec

/// The memory that a linked plan owns, as plain pointers: what a runner follows.
struct PlanMemory {
  /// Frames that a buffer holds.
  var maximumFrames: Int
  var path: daw_sample_path
  var steps: UnsafeMutablePointer<LinkedStep>
  var stepCount: Int
  var regions: UnsafeMutablePointer<LinkedRegion>
  var groups: UnsafeMutablePointer<RegionGroup>
  /// Of each group, its regions in order of start.
  var startOrder: UnsafeMutablePointer<Int>
  /// Of each group, the regions that the slice meets, in order of id; `RegionGroup.activeCount` are valid.
  var active: UnsafeMutablePointer<Int>
  var segments: UnsafeMutablePointer<LinkedSegment>
  /// Buffer after buffer: left, then right.
  var samples: UnsafeMutablePointer<Float>
  /// Whether a buffer holds nothing; its samples are then not valid.
  var isSilent: UnsafeMutablePointer<Bool>
  /// A piece of a stream as floats, interleaved.
  var unpacked: UnsafeMutablePointer<Float>
  /// The channels picked from it: room for two.
  var picked: UnsafeMutablePointer<Float>
  /// A control's values over a slice.
  var gains: UnsafeMutablePointer<Float>
}
