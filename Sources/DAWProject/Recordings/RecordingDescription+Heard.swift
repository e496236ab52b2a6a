import DAWMedia
import DAWTime

extension RecordingDescription {
  /// The ids of the passes that sound: the last one of its track at a place, unless it was cut off in a loop's middle.
  /// One that is all gap becomes no take, and takes the place of none.
  /// - Parameter whole: those that are known to have been played to the end of the loop or of the punch range. They may
  ///   be shorter than the one before, where the tempo was raised.
  func heardPasses(whole: Set<Int64> = []) -> Set<Int64> {
    var heard: Set<Int64> = []
    for ofTrack in Dictionary(grouping: passes.filter(\.hasContent), by: \.header.track).values {
      var covered = CoveredFrames()
      for index in ofTrack.indices.reversed() {
        let pass = ofTrack[index]
        let isLast = index == ofTrack.count - 1
        let isWhole = whole.contains(pass.header.pass)
        if isLast, !isWhole, index > 0, pass.isCutOff(after: ofTrack[index - 1]) { continue }
        guard !pass.lies(in: covered) else { continue }
        heard.insert(pass.header.pass)
        for piece in pass.pieces { covered.insert(piece.timelineFrames) }
      }
    }
    return heard
  }
}

extension RecordingDescription.Pass {
  /// Whether there is something to make a take of.
  var hasContent: Bool { frames > 0 && (header.kind == .midi ? !hadNoFile : !segments.isEmpty) }

  /// Whether the disk took nothing of a pass of MIDI from its first frame to its last.
  private var hadNoFile: Bool {
    gaps.contains { $0.start == 0 && $0.frames >= frames && ($0.cause == .ioError || $0.cause == .diskFull) }
  }

  /// Whether a loop led here from the pass before, at once or, with a punch, to where that one began, and this one was
  /// not played to its end.
  fileprivate func isCutOff(after before: Self) -> Bool {
    guard frames < before.frames, before.recordedFrames == before.frames else { return false }
    let isNext = before.header.firstHostFrame + before.frames == header.firstHostFrame
    guard isNext || before.pieces.first?.timelineFrame == pieces.first?.timelineFrame else { return false }
    var covered = CoveredFrames()
    for piece in before.pieces { covered.insert(piece.timelineFrames) }
    return lies(in: covered)
  }

  /// Whether some of it lies there.
  fileprivate func lies(in covered: CoveredFrames) -> Bool {
    pieces.contains { covered.overlaps($0.timelineFrames) }
  }

  /// The pieces, without what a later one lies over: after a locate back, what was played last sounds.
  var uppermostPieces: [RecordedPiece] {
    var uppermost: [RecordedPiece] = []
    var covered = CoveredFrames()
    for piece in pieces.reversed() {
      for part in covered.uncovered(of: piece.timelineFrames).reversed() {
        uppermost.append(
          RecordedPiece(
            passFrame: piece.passFrame + part.lowerBound - piece.timelineFrame, timelineFrame: part.lowerBound,
            frames: part.upperBound - part.lowerBound))
      }
      covered.insert(piece.timelineFrames)
    }
    return uppermost.reversed()
  }
}

extension RecordedPiece {
  fileprivate var timelineFrames: Range<Int64> { timelineFrame..<timelineFrame + max(0, frames) }
}
