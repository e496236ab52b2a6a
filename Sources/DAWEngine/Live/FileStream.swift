/// What makes two streams of files the same: then one that runs goes on when a new plan comes.
struct FileStreamKey: Hashable {
  /// The region.
  var slot: Int64
  var path: String
  var sha256: String
  var anchor: Int64
  var lineage: UInt64
  /// Whether it is what stays in memory behind the loop's start, and from which of the file's frames on.
  var heldFrom: Int64?
}

/// A stream of the pool, as the butler knows it. Its window has the same number.
struct FileStream {
  var key: FileStreamKey?
  var source: AudioSource?
  /// The file's first frame that is not wanted.
  var limit: Int64 = 0
  /// The place of the playhead that it was laid for.
  var locateNumber: UInt64 = 0
  var wrapCount: UInt64 = 0
  /// The last look that wanted it.
  var wantedIn: UInt64 = 0
  /// Whether its file cannot be read.
  var isBroken = false
  /// Whether it has been late, and has been laid ahead for that.
  var generation: UInt32 = 0
}

/// A stream that is wanted, now or soon.
struct WantedStream {
  var window: Int
  /// The plans that want it.
  var plans: Set<UInt64>
  /// Frames until it sounds.
  var distance: Int64
  /// The file's frame that sounds first.
  var first: Int64
  /// The file's first frame that is not wanted.
  var limit: Int64
}
