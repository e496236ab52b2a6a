import DAWBounce
import DAWEngine
import DAWMedia
import DAWModel
import DAWProject
import Foundation

extension Session {
  /// Writes each track and bus that feeds the master into a file of its own, through the master as in the mix: all of
  /// the same length, with one gain, so that their sum is the mix to the last rounding, before effects on the master.
  /// The mix is rendered first, since it decides on both.
  func writeStems(
    of prepared: PreparedBounce, _ request: BounceRequest, _ format: AudioFileFormat, _ tags: FileTags,
    _ passes: BouncePasses
  ) throws -> BouncedFile {
    let ending = format.container.fileEnding
    let place = try stemFolderPlace(request, prepared.project)
    try refuseManifest(beside: place, request)
    try requireRoom(for: prepared, format, at: place, count: prepared.stems.count)
    let folder = try PartialFolder(at: place, replaces: request.overwrites, replaceableEnding: ending)
    let mix = try passes.render(prepared) { _ in NullSink(format: format) }
    // Cache use is reported for the mix only.
    let setup = try EngineSetup(request, cacheFolder: cacheFolder)
    let stemPasses = self.passes(request, format, setup, passes.clock)
    var names = StemNames()
    var stems: [StemReport] = []
    for track in prepared.stems {
      var stem = try self.prepared(prepared, only: track, request)
      stem.range.tail = .fixed(mix.tailFrameCount)
      let name = names.next(track.name.text) + "." + ending
      let file = folder.partial.appending(name)
      let outcome: BouncePasses.Outcome
      do {
        outcome = try stemPasses.render(stem, gainLevel: mix.gainLevel ?? 0) { loudness in
          try audioFileSink(
            at: file, format: format, description: description(request, prepared, format, track.name.text),
            tags: tags.naming(track: track.name.text), loudness: loudness)
        }
      } catch BounceError.sink(.leftBehind(_, _, let failure)), AudioFileWriteError.leftBehind(_, _, let failure) {
        // The stem is complete, but is removed with the folder.
        throw folder.discard(after: failure)
      }
      stems.append(
        StemReport(
          track: track.id, name: track.name.text, path: folder.path + "/" + name, statistics: outcome.statistics,
          clippedSampleCount: outcome.clippedSampleCount, digest: outcome.digest))
    }
    try folder.commit()
    return BouncedFile(place: place, outcome: mix, stems: stems)
  }

  private func stemFolderPlace(_ request: BounceRequest, _ project: Project) throws -> Place {
    try request.destination.place ?? automaticPlace("\(project.settings.name.text) stems", ending: "")
  }
}

extension PreparedBounce {
  /// Says what the stems lack of the mix: the master's effects, and its fader where one is before it. `nil` if the
  /// master has no effect, or they are off or bypassed.
  var stemWarning: String? {
    guard let master = project.tracks.values.first(where: { $0.trackType == .master }) else { return nil }
    let computed = Set(plan.inserts.filter { $0.share != .constant(0) }.map(\.effectID))
    let effects = project.effects(of: master.id).filter { computed.contains($0.id.rawValue) }
    guard !effects.isEmpty else { return nil }
    let names = effects.map(\.name).joined(separator: ", ")
    let fader = effects.contains { !$0.isPostFader } ? " and its fader" : ""
    return "The stems lack the master's effects (\(names))\(fader): their sum is not the mix."
  }
}

/// Makes file names of track names that any file system accepts.
struct StemNames {
  /// In lower case, since some file systems ignore case.
  private var taken: Set<String> = []

  /// - Returns: the track's name without what a file system may refuse, numbered where it is taken.
  mutating func next(_ trackName: String) -> String {
    let base = Self.safe(trackName)
    var name = base
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(base) \(number)"
      number += 1
    }
    return name
  }

  private static func safe(_ text: String) -> String {
    let refused = Set("/\\:*?\"<>|")
    var name = String(text.map { refused.contains($0) || $0.isNewline || ($0.asciiValue ?? 32) < 32 ? "-" : $0 })
    while let first = name.first, first == "." || first == " " { name.removeFirst() }
    while name.utf8.count > 200 { name.removeLast() }
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    let stem = name.prefix { $0 != "." }.uppercased()
    return name.isEmpty ? "Track" : devices.contains(stem) ? name + " track" : name
  }

  /// Device names reserved by Windows, with any extension.
  private static let devices: Set<String> = {
    let numbered = (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
    return Set(["CON", "PRN", "AUX", "NUL"] + numbered)
  }()
}
