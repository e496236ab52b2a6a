import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// Regions that play another file now.
public struct ReplacedFile: Sendable {
  /// The region that was named.
  public var region: Region
  /// All whose file was replaced, in order of start.
  public var report: RegionEditReport
  /// Those that are shorter now, since the file ends before they did.
  public var shortened: [Region]
  /// Warnings about the file, as sentences.
  public var warnings: [String]
}

extension Editor {
  /// Lets a region play another file, from the same offset and with the same settings; where the file ends earlier the
  /// region is shortened.
  /// - Parameters:
  ///   - channels: `nil` keeps them.
  ///   - isEverywhere: whether all regions that play the same file are changed.
  /// - Throws: `Failure` if a region would begin after the file's end, or has channels that it has not.
  public func replaceFile(
    of reference: String, with path: String, isLinked: Bool, channels: ChannelSelection?, isEverywhere: Bool
  ) throws -> ReplacedFile {
    let named = try view.region(calledBy: reference)
    guard let old = named.audio?.file else {
      throw RuleViolation(.regionType, value: "a file of a MIDI region", subject: named.subject)
    }
    let imported = try importAudioFile(at: path, isLinked: isLinked)
    let file = imported.file
    let chosen = isEverywhere ? try view.regions(RegionFilter(type: .audio)).filter { $0.audio?.file == old } : [named]
    var shortened: [Region] = []
    let changed = try chosen.map { region in
      guard var span = region.audio else { return region }
      guard span.offset < file.duration else {
        throw RuleViolation(
          .regionWithinFile, value: "an offset of \(span.offset) in a file of \(file.duration)",
          subject: region.subject,
          accepted: "Give the region an offset within the new file with 'daw set-region --offset', or a longer file.")
      }
      span.file = file.id
      span.channels = channels ?? span.channels
      let isShorter = span.duration > file.duration - span.offset
      span.duration = min(span.duration, file.duration - span.offset)
      var region = region
      region.content = .audio(span)
      if isShorter { shortened.append(region) }
      return region
    }
    let map = try tempoMap()
    let edges = ExposedEdges(from: chosen, to: changed, in: map)
    let faded = try zip(chosen, changed).map { old, region in
      var faded = region
      try fadeCutEdges(of: &faded, replacing: old)
      // What goes on in the new file as it did in the old one is no cut.
      for edge in RegionEdge.allCases where edges.goesOn(region, at: edge) { faded[edge] = region[edge] }
      return faded
    }
    let report = try set(
      chosen, to: fadeExposedEdges(from: chosen, to: faded, in: map), "Replaced the file of")
    return ReplacedFile(
      region: report.changed.first { $0.id == named.id } ?? named, report: report, shortened: shortened,
      warnings: imported.warnings)
  }
}
