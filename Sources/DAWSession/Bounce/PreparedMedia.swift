import DAWCompiler
import DAWEngine
import DAWMedia
import DAWModel
import DAWTime
import Foundation

/// A project's media, made ready for the engine.
struct PreparedMedia {
  var table = MediaTable()
  /// What is not as it should be, in sentences, under the name that lets it pass.
  var problems: [NamedProblem] = []
}

extension Session {
  /// Where what can be made again is kept: the project's folder, or the user's where that cannot be written.
  var cacheFolder: String {
    if access(folder.cache, W_OK) == 0 { return folder.cache }
    if access(folder.path, W_OK) == 0,
      (try? FileManager.default.createDirectory(atPath: folder.cache, withIntermediateDirectories: true)) != nil
    {
      return folder.cache
    }
    let environment = ProcessInfo.processInfo.environment
    let base = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory() + "/.cache"
    let path = base + "/daw"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// Finds the media that a project plays, and converts what is at another rate. What is not there is listed.
  /// - Parameter isHeard: which tracks matter.
  /// - Throws: `Failure` where the disk fails.
  func prepareMedia(
    of project: Project, isHeard: (Track) -> Bool, progress: @escaping MediaProgress
  ) throws -> PreparedMedia {
    var prepared = PreparedMedia()
    let heard = Set(project.tracks.values.filter(isHeard).map(\.id))
    let regions = project.regions.values.filter { heard.contains($0.track) && !$0.isMuted }
    for id in Set(regions.compactMap { $0.audio?.file }).sorted() {
      guard let file = project.audioFiles[id] else { continue }
      guard let medium = try usableMedium(file.location, "audio file", &prepared) else { continue }
      prepared.table.audioFiles[id] = try audioSource(medium, rate: project.settings.sampleRate, progress)
    }
    let playing = Set(regions.map(\.track))
    let fonts = Set(project.tracks.values.filter { playing.contains($0.id) }.compactMap { $0.instrument?.soundFont })
    for id in fonts.sorted() {
      guard let font = project.soundFonts[id] else { continue }
      guard let medium = try usableMedium(font.location, "SoundFont", &prepared) else { continue }
      prepared.table.soundFonts[id] = PreparedSoundFont(path: medium.path, sha256: medium.sha256)
    }
    return prepared
  }

  /// Where a medium is, and the hash of what is there: what the project recorded, unless it has changed.
  private func usableMedium(
    _ location: MediaLocation, _ noun: String, _ prepared: inout PreparedMedia
  ) throws -> (path: String, sha256: String)? {
    switch folder.state(of: location) {
    case .asRecorded: return folder.find(location).map { ($0, location.sha256) }
    case .missing:
      prepared.problems.append(NamedProblem(problem: .missing, sentence: "The \(noun) '\(location.path)' is missing."))
      return nil
    case .unreadable(let reason):
      prepared.problems.append(
        NamedProblem(problem: .missing, sentence: "The \(noun) '\(location.path)' cannot be read: \(reason)"))
      return nil
    case .changed:
      prepared.problems.append(
        NamedProblem(problem: .changed, sentence: "The \(noun) '\(location.path)' is not what the project recorded."))
      return try folder.find(location).map { ($0, try sha256(ofFile: $0).sha256) }
    }
  }

  /// The file itself, or its copy at the project's rate.
  private func audioSource(
    _ medium: (path: String, sha256: String), rate: SampleRate, _ progress: @escaping MediaProgress
  ) throws -> AudioSource {
    var path = medium.path
    var facts = try AudioFileFacts.read(path: path)
    if facts.sampleRate != rate || !facts.seeksExactly {
      path = try WaveCache(folder: cacheFolder)
        .copy(of: path, facts: facts, sha256: medium.sha256, at: rate, progress: progress)
      facts = try AudioFileFacts.read(path: path)
    }
    return AudioSource(path: path, sha256: medium.sha256, facts: facts)
  }
}
