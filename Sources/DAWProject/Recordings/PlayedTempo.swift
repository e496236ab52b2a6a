import DAWMedia
import DAWTime

/// The tempo map by which frames of a pass were played, up to the next one.
package struct PlayedTempo: Sendable {
  /// The first of them, in frames of the pass.
  package var atFrame: Int64
  package var map: TempoMap

  package init(atFrame: Int64, map: TempoMap) {
    self.atFrame = atFrame
    self.map = map
  }
}

extension RecordingDescription {
  /// Puts a pass of MIDI where the music lies now to which it was played, as if it had been in the project when the
  /// tempo was edited. Its frames are then those by the map of now; messages in none of its pieces are left out.
  /// - Parameters:
  ///   - played: in the order of their frames.
  ///   - now: the project's map.
  ///   - messages: the pass's.
  mutating func move(_ id: Int64, played: [PlayedTempo], to now: TempoMap, _ messages: inout [RecordedEvent]) {
    guard let pass = self[pass: id], played.contains(where: { $0.map != now }) else { return }
    let rate = SampleRate(hertz: header.sampleRate)
    var pieces: [RecordedPiece] = []
    var moved: [RecordedEvent] = []
    var next: Int64 = 0
    for (piece, map) in pass.pieces.flatMap({ $0.parts(played, at: rate) }) {
      let isMoved = map != now
      func movedFrame(_ frame: Int64) -> Int64 {
        guard isMoved, frame > 0 else { return frame }
        let tick = map.ticks(at: FramePosition(frames: frame).flicks(at: rate))
        return now.flicks(at: tick).frames(at: rate).frames
      }
      let first = movedFrame(piece.timelineFrame)
      let count = max(1, movedFrame(piece.timelineFrame + piece.frames) - first)
      let frames = piece.passFrame..<piece.passFrame + piece.frames
      for message in messages where frames.contains(message.passFrame) {
        let offset = movedFrame(piece.timelineFrame + message.passFrame - piece.passFrame) - first
        moved.append(
          RecordedEvent(pass: message.pass, passFrame: next + min(offset, count - 1), bytes: message.bytes))
      }
      pieces.append(RecordedPiece(passFrame: next, timelineFrame: first, frames: count))
      next += count
    }
    place(id, in: pieces)
    messages = moved
  }
}

extension RecordedPiece {
  /// The parts of the piece, each with the map by which it was played. An edit of the tempo that left the playhead at
  /// its tick was of what lay ahead, and ends none.
  fileprivate func parts(_ played: [PlayedTempo], at rate: SampleRate) -> [(piece: RecordedPiece, map: TempoMap)] {
    guard frames > 0, var map = (played.last { $0.atFrame <= passFrame } ?? played.first)?.map else { return [] }
    var parts: [(piece: RecordedPiece, map: TempoMap)] = []
    var first = passFrame
    func add(to end: Int64) {
      parts.append(
        (RecordedPiece(passFrame: first, timelineFrame: timelineFrame + first - passFrame, frames: end - first), map))
      first = end
    }
    for next in played where passFrame < next.atFrame && next.atFrame < passFrame + frames {
      let place = FramePosition(frames: timelineFrame + next.atFrame - passFrame).flicks(at: rate)
      if map.ticks(at: place) != next.map.ticks(at: place) { add(to: next.atFrame) }
      map = next.map
    }
    add(to: passFrame + frames)
    return parts
  }
}
