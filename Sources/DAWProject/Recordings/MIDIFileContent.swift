import DAWMedia
import DAWModel
import DAWTime

// What a MIDI file's events are in a region; captured messages take the same way.

extension RegionEvent.Message {
  /// The message of a file's event; `nil` for a note, a meta event, and a system exclusive message that is too long for
  /// a project.
  package init?(_ event: MIDIFileEvent, of track: MIDIFileTrack) {
    let (first, second) = (Int(event.data1), Int(event.data2))
    switch event.message {
    case .controller: self = .controller(number: first, value: second)
    case .program: self = .program(first)
    case .pitchBend: self = .pitchBend((second << 7 | first) - 8192)
    case .channelPressure: self = .channelPressure(first)
    case .polyPressure: self = .polyPressure(pitch: first, value: second)
    case .noteOn, .noteOff: return nil
    case nil:
      let payload = track.payload(of: event)
      guard event.status != MIDIFileEvent.meta, payload.count < RegionEvent.maximumByteCount else { return nil }
      self = .systemExclusive([event.status] + payload)
    }
  }
}

extension MIDINote {
  /// A file's note.
  /// - Parameters:
  ///   - start: from the region's start.
  ///   - duration: at least a tick.
  package init(_ note: MIDIFileNote, id: NoteID, region: RegionID, start: TickCount, duration: TickCount) {
    self.init(
      id: id, region: region, pitch: Int(note.pitch), velocity: Int(note.velocity), start: start, duration: duration,
      channel: Int(note.channel), releaseVelocity: Int(note.releaseVelocity))
  }
}
