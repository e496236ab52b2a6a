import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTime

extension Editor {
  /// Adds markers where something was spoken. Where one with the same name is already, none is added.
  /// - Parameters:
  ///   - references: tracks, regions, recordings or audio files; empty: all tracks.
  ///   - query: what is marked; `nil`: each caption.
  /// - Throws: `Failure` if there is no such sound, or nothing of it was transcribed.
  public func addMarkers(
    fromTranscriptsOf references: [String], matching query: SearchQuery?, _ change: Change<Marker>
  ) throws -> [Marker] {
    var places: [(start: FlickPosition, name: String)] = []
    for transcripts in try placedTranscripts(of: references) {
      guard let query else {
        places += transcripts.captions.map { ($0.start, $0.text) }
        continue
      }
      for transcript in transcripts.tracks.joined() {
        for match in query.places(in: transcript.text.text) {
          // The words of a hit are heard in several places, or in none: the first of them is marked.
          guard let first = transcript.text.word(at: match.lowerBound) else { continue }
          let name = String(transcript.text.text[match])
          places += transcript.words { $0 == first.range }.map { ($0.start, name) }
        }
      }
    }
    var known = Set(try view.markers().map { Known(start: $0.start, name: $0.name) })
    let firstID = try newID(of: Marker.self).rawValue
    var markers: [Marker] = []
    for place in places.sorted(by: { $0.start < $1.start }) {
      guard let name = Self.markerName(place.name) else { continue }
      var marker = Marker(
        id: MarkerID(rawValue: firstID + Int64(markers.count)), name: name, start: .absolute(place.start))
      change.apply(to: &marker)
      if known.insert(Known(start: marker.start, name: marker.name)).inserted { markers.append(marker) }
    }
    if !markers.isEmpty {
      try apply(.add(markers))
      note("Added \(counted(markers.count, "marker")) from transcripts")
    }
    return markers
  }

  private struct Known: Hashable {
    var start: TimelinePosition
    var name: Name
  }

  /// `nil` if nothing of the text can stand in a name.
  private static func markerName(_ text: String) -> Name? {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let scalars = line.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(120)
    return try? Name(String(String.UnicodeScalarView(scalars)))
  }

  private func placedTranscripts(of references: [String]) throws -> [PlacedTranscripts] {
    if !references.isEmpty { return try references.map { try view.placedTranscripts(of: $0, onTimeline: true) } }
    let found = try view.tracks().filter { $0.trackType == .audio }.compactMap { track -> PlacedTranscripts? in
      do {
        return try view.placedTranscripts(of: "id:\(track.id)", onTimeline: true)
      } catch let failure as Failure where ["noSound", "notTranscribed"].contains(failure.code) {
        return nil
      }
    }
    guard !found.isEmpty else {
      throw Failure(
        .invalid, code: "notTranscribed", "Nothing of the tracks' sound has been transcribed. Nothing was changed.",
        hint: "'daw transcribe TRACK --wait' does that.")
    }
    return found
  }
}
