import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

extension Session {
  /// Writes MIDI tracks, with tempo, meter, keys and markers, as a Standard MIDI File.
  /// - Throws: `Failure`; nothing is written then.
  public func exportMIDI(_ request: MIDIExportRequest) throws -> ExportedMIDIFile {
    try failing {
      let place = try request.path.map { try outputPlace($0) }
      guard let format = MIDIFile.Format(rawValue: request.format), format != .independent else {
        throw Failure(
          .invalid, code: "invalidMIDIFormat", "There is no MIDI file of format \(request.format) to write.",
          hint: "0 or 1.")
      }
      var warnings: [String] = []
      var (song, names) = try read { view in
        let tracks = try Self.tracks(of: request, view)
        return (try MIDISong(view, tracks: tracks, warnings: &warnings), tracks.map(\.name.text))
      }
      if request.from != nil || request.to != nil { song = try Self.cut(song, request) }
      let needed = song.neededDivision
      let division = try request.division.map(Self.accepted) ?? Self.usualDivision(needed)
      if !division.isMultiple(of: needed) {
        warnings.append("With \(division) ticks to the quarter note, some places are rounded to the nearest tick.")
      }
      let nested = song.nestedNoteCount
      if nested > 0 {
        warnings.append(
          "\(counted(nested, "note")) within another of the same pitch and channel: a reader exchanges the ends of both."
        )
      }
      let shared = format == .single ? song.sharedChannels : []
      if !shared.isEmpty {
        let noun = shared.count == 1 ? "Channel" : "Channels"
        let numbers = shared.map { String($0 + 1) }.joined(separator: ", ")
        warnings.append(
          "\(noun) \(numbers) of more than one track: in format 0 these share a program and controllers, and cannot be "
            + "told apart again.")
      }
      let file = song.file(format: format, division: division)
      var result = ExportedMIDIFile(
        path: place?.path, format: format.rawValue, division: division, tracks: names,
        noteCount: song.parts.reduce(0) { $0 + $1.notes.count },
        eventCount: song.parts.reduce(0) { $0 + $1.events.count }, tempoCount: song.tempos.count,
        meterCount: song.meters.count, markerCount: song.markers.count, warnings: warnings)
      if let path = result.path {
        try file.write(at: path, replaces: request.overwrites)
      } else {
        result.bytes = try file.encoded()
      }
      return result
    }
  }

  private static func tracks(of request: MIDIExportRequest, _ view: ProjectView) throws -> [Track] {
    guard !request.tracks.isEmpty else { return try view.tracks().filter { $0.trackType == .midi } }
    return try request.tracks.map { reference -> Track in
      let track = try view.track(calledBy: reference)
      guard track.trackType == .midi else {
        throw Failure(
          .invalid, code: "notAMIDITrack", "Track '\(track.name)' is of type \(track.trackType.rawValue).",
          hint: "A MIDI file holds what is on MIDI tracks. 'daw bounce --track' makes sound of any.")
      }
      return track
    }.uniqued
  }

  private static func cut(_ song: MIDISong, _ request: MIDIExportRequest) throws -> MIDISong {
    let start = request.from ?? .zero
    let end = request.to ?? TickPosition(ticks: max(song.lastTick, start.ticks) + 1)
    guard start < end else {
      throw Failure(
        .invalid, code: "invalidRange", "The range ends at \(end), before it begins at \(start).",
        hint: "Give --to a later place than --from.")
    }
    return song.cut(from: start.ticks, to: end.ticks)
  }

  /// The smallest usual division that represents every position exactly.
  private static func usualDivision(_ needed: Int) -> Int {
    [480, 960, 256, 384, 512, 768, 1_024, 1_920, 3_840, 7_680].first { $0.isMultiple(of: needed) }
      ?? Int(TickCount.perQuarter)
  }

  private static func accepted(_ division: Int) throws -> Int {
    guard MIDIFileDivision.acceptedTicksPerQuarter.contains(division) else {
      throw Failure(
        .invalid, code: "invalidDivision", "A MIDI file cannot have \(division) ticks to the quarter note.",
        hint: "1 … 32767; usual are 96, 480 and 960.")
    }
    return division
  }
}

extension MIDISong {
  /// Where the last of its tracks ends, or a mark lies behind that: without a range, such marks are written, too.
  fileprivate var lastTick: Int64 {
    let marks = [tempos.last?.tick, meters.last?.tick, keys.last?.tick, markers.last?.tick]
    return marks.compactMap(\.self).reduce(endTick, max)
  }

  /// The channels, from 0, that several tracks use.
  fileprivate var sharedChannels: [Int] {
    var counts = [Int](repeating: 0, count: 16)
    for channel in parts.flatMap(\.channels) { counts[channel] += 1 }
    return counts.indices.filter { counts[$0] > 1 }
  }

  /// How many notes begin after and end before another of their pitch and channel.
  fileprivate var nestedNoteCount: Int {
    parts.reduce(0) { sum, part in
      var latestEnds = [Int64](repeating: .min, count: 16 * 128)
      return sum
        + part.notes.count { note in
          let voice = Int(note.channel) << 7 | Int(note.pitch)
          defer { latestEnds[voice] = max(latestEnds[voice], note.end) }
          return note.end < latestEnds[voice]
        }
    }
  }
}
