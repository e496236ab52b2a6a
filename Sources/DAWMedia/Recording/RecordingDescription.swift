import DAWTime

/// What a recording comes to: the ledger's records, applied to nothing one after another. The writer keeps one as it
/// goes; a reader makes the same of the files.
public struct RecordingDescription: Equatable, Sendable {
  public var header: RecordingHeader
  /// In the order in which they began.
  public private(set) var passes: [Pass] = []
  /// Whether it was ended in order: `end` was recorded, and in files, all of them are there and whole.
  public var isEnded = false
  /// Milliseconds since 1970.
  public private(set) var endTime: Int64?
  /// Places in `passes` by id.
  private var places: [Int64: Int] = [:]

  public init(header: RecordingHeader) { self.header = header }

  /// - Returns: `nil` if there is no such pass.
  public subscript(pass id: Int64) -> Pass? { places[id].map { passes[$0] } }

  /// Host frames from the first frame of a pass to the last.
  public var frameCount: Int64 {
    let first = passes.map(\.header.firstHostFrame).min() ?? 0
    return max(0, (passes.map { $0.header.firstHostFrame + $0.frames }.max() ?? first) - first)
  }

  /// The recording without the passes that the user has thrown away.
  public var withoutCancelled: Self {
    var rest = self
    rest.passes.removeAll(where: \.isCancelled)
    rest.places = Dictionary(uniqueKeysWithValues: rest.passes.enumerated().map { ($1.header.pass, $0) })
    return rest
  }

  /// So many frames of a pass have passed, which no record says yet.
  public mutating func advance(_ pass: Int64, to frames: Int64) { update(pass) { $0.advance(to: frames) } }

  /// A record that contradicts those before it is ignored.
  public mutating func apply(_ record: LedgerRecord) {
    switch record {
    case .begin: break
    case .pass(let header):
      guard places[header.pass] == nil else { return }
      places[header.pass] = passes.count
      passes.append(Pass(header: header))
    case .piece(let pass, let piece): update(pass) { $0.begin(piece) }
    case .gap(let pass, let gap): update(pass) { $0.add(gap) }
    case .segment(let pass, let file): update(pass) { $0.add(file) }
    case .latency(let pass, let capture, let playback, let frame):
      update(pass) { $0.latencies.append(LatencyChange(capture: capture, playback: playback, atFrame: frame)) }
    case .lostEvents(let pass, let count, let frame):
      update(pass) { $0.lostEvents.append(LostEvents(count: count, atFrame: frame)) }
    case .endPass(let pass, let frames):
      update(pass) {
        $0.advance(to: frames)
        $0.end()
      }
    case .cancelPass(let pass): update(pass) { $0.isCancelled = true }
    case .end(let time):
      for place in passes.indices { passes[place].dropEmptySegments() }
      isEnded = true
      endTime = time
    }
  }

  /// Puts a pass elsewhere on the timeline.
  /// - Parameter pieces: in the order of their frames.
  public mutating func place(_ pass: Int64, in pieces: [RecordedPiece]) { update(pass) { $0.place(in: pieces) } }

  mutating func update(_ pass: Int64, _ body: (inout Pass) -> Void) {
    if let place = places[pass] { body(&passes[place]) }
  }

  /// The latencies that the server reports from a frame on, in frames.
  public struct LatencyChange: Hashable, Sendable {
    public var capture: Int
    public var playback: Int
    /// In frames of the pass.
    public var atFrame: Int64
  }

  /// MIDI events that the system dropped.
  public struct LostEvents: Hashable, Sendable {
    public var count: Int
    /// In frames of the pass.
    public var atFrame: Int64
  }

  public struct Pass: Equatable, Sendable {
    public var header: PassHeader
    /// In order. Frames between two of them belong to no place of the timeline.
    public private(set) var pieces: [RecordedPiece] = []
    private var isPieceOpen = false
    /// In order.
    public private(set) var gaps: [RecordedGapSpan] = []
    /// In order.
    public private(set) var segments: [RecordedSegmentFile] = []
    public fileprivate(set) var latencies: [LatencyChange] = []
    public fileprivate(set) var lostEvents: [LostEvents] = []
    /// The frames that passed, as far as known: up to the end of the last segment or gap.
    public private(set) var frames: Int64 = 0
    public fileprivate(set) var isEnded = false
    /// Whether the user has thrown it away: it is not to become a take.
    public fileprivate(set) var isCancelled = false

    public init(header: PassHeader) { self.header = header }

    /// The frames up to the last that may have been recorded: without a server that was lost, none is.
    public var recordedFrames: Int64 {
      guard let last = gaps.last, last.cause == .serverLost, last.end == frames else { return frames }
      return last.start
    }

    /// The frames that passed are at least this many.
    mutating func advance(to end: Int64) {
      frames = max(frames, end)
      updateLastPiece()
    }

    private mutating func updateLastPiece() {
      guard isPieceOpen, let last = pieces.indices.last else { return }
      pieces[last].frames = max(0, frames - pieces[last].passFrame)
    }

    fileprivate mutating func end() {
      isEnded = true
      isPieceOpen = false
    }

    fileprivate mutating func place(in pieces: [RecordedPiece]) {
      self.pieces = pieces
      isPieceOpen = false
    }

    /// A piece without frames goes on; one with frames ends the piece that began there.
    mutating func begin(_ piece: RecordedPiece) {
      if let last = pieces.last {
        guard piece.passFrame >= last.passFrame else { return }
        let isSamePlace = piece.timelineFrame - piece.passFrame == last.timelineFrame - last.passFrame
        if isSamePlace, piece.passFrame == last.passFrame, piece.frames > 0 {
          pieces[pieces.count - 1].frames = piece.frames
          isPieceOpen = false
          return
        }
        // A file's own chunk repeats the piece in which it begins.
        if isSamePlace, isPieceOpen || piece.passFrame < last.passFrame + last.frames { return }
        if piece.passFrame == last.passFrame {
          pieces.removeLast()
        } else if isPieceOpen || last.passFrame + last.frames > piece.passFrame {
          pieces[pieces.count - 1].frames = piece.passFrame - last.passFrame
        }
      }
      pieces.append(piece)
      isPieceOpen = piece.frames == 0
      updateLastPiece()
    }

    /// Replaces what was said of gaps from its start on: frames that waited to be written may be lost with a file.
    mutating func add(_ gap: RecordedGapSpan) {
      while let last = gaps.last, last.end > gap.start || last.start == gap.start {
        gaps.removeLast()
        if last.start < gap.start {
          gaps.append(RecordedGapSpan(start: last.start, frames: gap.start - last.start, cause: last.cause))
          break
        }
      }
      guard gap.frames > 0 else { return }
      gaps.append(gap)
      advance(to: gap.end)
    }

    /// Adds what a file tells, unless the ledger had something to say of these frames.
    mutating func supplement(_ gap: RecordedGapSpan) {
      guard let last = gaps.last, gap.start < last.end else { return add(gap) }
      if gap.start == last.start, gap.frames > last.frames { add(gap) }
    }

    /// Names the spans that are in no segment and in no gap as gaps.
    mutating func fillUnaccounted(_ cause: GapCause) {
      gaps += unaccounted.map { RecordedGapSpan(start: $0.lowerBound, frames: Int64($0.count), cause: cause) }
      gaps.sort { $0.start < $1.start }
    }

    mutating func add(_ file: RecordedSegmentFile) {
      if let place = place(ofSegment: file.index) {
        segments[place] = file
      } else if file.index > segments.last?.index ?? -1 {
        segments.append(file)
      } else {
        return
      }
      advance(to: file.end)
    }

    /// Drops the files that were begun and have no frame: they were removed.
    fileprivate mutating func dropEmptySegments() { segments.removeAll { $0.frames == 0 && $0.sha256 == nil } }

    /// Marks segments as missing. Those that are marked stay so.
    mutating func markMissing(where isMissing: (RecordedSegmentFile) -> Bool) {
      for place in segments.indices where isMissing(segments[place]) { segments[place].isMissing = true }
    }

    /// By binary search.
    func place(ofSegment index: Int) -> Int? {
      var (low, high) = (0, segments.count)
      while low < high {
        let middle = (low + high) / 2
        if segments[middle].index < index { low = middle + 1 } else { high = middle }
      }
      return low < segments.count && segments[low].index == index ? low : nil
    }

    /// Replaces the segments by what the files tell, and the frames by what they come to.
    mutating func set(_ files: [RecordedSegmentFile]) {
      segments = []
      for file in files.sorted(by: { ($0.startFrame, $0.index) < ($1.startFrame, $1.index) }) {
        // A file ends where the next begins; one that begins inside another is not this pass's.
        if let last = segments.last {
          guard file.startFrame >= last.startFrame, file.index > last.index else { continue }
          segments[segments.count - 1].frames = min(last.frames, file.startFrame - last.startFrame)
        }
        segments.append(file)
        advance(to: file.end)
      }
    }

    /// The spans that are in no segment and in no gap. None in a recording that is complete.
    public var unaccounted: [Range<Int64>] {
      guard header.kind == .audio else { return [] }
      var spans = segments.map { $0.startFrame..<$0.end } + gaps.map { $0.start..<$0.end }
      spans.sort { $0.lowerBound < $1.lowerBound }
      var open: [Range<Int64>] = []
      var done: Int64 = 0
      for span in spans {
        if span.lowerBound > done { open.append(done..<span.lowerBound) }
        done = max(done, span.upperBound)
      }
      if frames > done { open.append(done..<frames) }
      return open
    }
  }
}
