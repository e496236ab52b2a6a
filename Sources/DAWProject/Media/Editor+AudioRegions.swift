import DAWModel
import DAWStore
import DAWTime
import Foundation

/// A region that an import added, with warnings about its file.
public struct AddedAudioRegion: Sendable {
  public var region: Region
  public var track: Track
  public var imported: ImportedAudioFile
}

extension Editor {
  /// Adds a region over a file, or a span of it, to an audio track. By default it extends to the file's end.
  public func addAudioRegion(
    to trackReference: String, file path: String, isLinked: Bool, _ change: Change<Region>, _ placement: RegionPlacement
  ) throws -> AddedAudioRegion {
    let track = try view.track(calledBy: trackReference)
    guard track.trackType == .audio else {
      throw RuleViolation(
        .regionFitsTrack, value: "an audio region on a track of type \(track.trackType.rawValue)",
        subject: track.subject)
    }
    let imported = try importAudioFile(at: path, isLinked: isLinked)
    return try addAudioRegion(
      on: track, imported, named: Name(ofFile: path, orElse: Name(literal: "Region")), change, placement)
  }

  /// Adds an audio track with a region over the whole file. If the name is in use, a number is appended.
  public func importAudio(
    file path: String, isLinked: Bool, _ placement: RegionPlacement = RegionPlacement()
  ) throws -> AddedAudioRegion {
    let imported = try importAudioFile(at: path, isLinked: isLinked)
    let name = Name(ofFile: path, orElse: Name(literal: "Audio"))
    let track = try addTrack(named: name.madeUnique { try view.track(named: $0) != nil }.text)
    return try addAudioRegion(on: track, imported, named: name, Change(), placement)
  }

  /// Adds a region over a file to the track of this name, or to a new audio track.
  public func importAudio(
    file path: String, isLinked: Bool, to reference: String, _ placement: RegionPlacement
  ) throws -> AddedAudioRegion {
    if let track = try trackToImportTo(reference) {
      return try addAudioRegion(to: "id:\(track.id)", file: path, isLinked: isLinked, Change(), placement)
    }
    let remark = try remark(onNewTrack: reference)
    let track = try addTrack(named: reference)
    var added = try addAudioRegion(to: "id:\(track.id)", file: path, isLinked: isLinked, Change(), placement)
    added.imported.warnings.insert(remark, at: 0)
    return added
  }

  /// The track that an import names; `nil` if it is to be added.
  /// - Throws: `Failure` for an id that no track has.
  package func trackToImportTo(_ reference: String) throws -> Track? {
    let named = try view.track(named: reference)
    return try IDReference(reference, isName: named != nil)?.forced == nil ? named : view.track(calledBy: reference)
  }

  /// A remark about a track that an import added because there was none of that name, in case the name was mistyped.
  package func remark(onNewTrack name: String) throws -> String {
    let near = nearest(to: name, among: try view.tracks().map(\.name.text))
    let question = near.first.map { " If '\($0)' was meant: 'daw undo', and import again." } ?? ""
    return "There was no track '\(name)': it was made.\(question)"
  }

  private func addAudioRegion(
    on track: Track, _ imported: ImportedAudioFile, named name: Name, _ change: Change<Region>,
    _ placement: RegionPlacement
  ) throws -> AddedAudioRegion {
    let map = try tempoMap()
    let file = imported.file
    let position = placement.start ?? .absolute(.zero)
    let start: TimelinePosition =
      placement.timeBase == .musical ? .musical(map.ticks(at: position)) : .absolute(map.flicks(at: position))
    let offset = placement.offset ?? .zero
    let length = try placement.length?.flicks(map, map.flicks(at: start)) ?? file.duration - offset
    let span = AudioSpan(file: file.id, offset: offset, duration: length, channels: placement.channels ?? .all)
    var region = Region(
      id: try newID(of: Region.self), track: track.id, name: try freeName(name, on: track.id), start: start,
      content: .audio(span))
    try set(change, on: &region)
    try apply(placement.fades, to: &region, in: map)
    let track = try widen(track, for: span, of: file)
    if span.offset < file.duration {
      try fadeCutEdges(of: &region, replacing: nil, unless: placement.fades)
    }
    try apply(.add(region))
    note("Added region '\(region.name)' to track '\(track.name)'")
    return AddedAudioRegion(region: region, track: track, imported: imported)
  }

  /// Gives a track that has no channel count that of its first region.
  private func widen(_ track: Track, for span: AudioSpan, of file: AudioFile) throws -> Track {
    guard track.channelCount == nil, let width = span.channels.width(ofFileWith: file.channelCount) else {
      return track
    }
    var track = track
    track.channelCount = width
    try apply(.set(track))
    return track
  }
}
