import DAWCompiler
import DAWEngine
import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import DAWTime
import Foundation

/// A project's media, made ready for the engine.
struct PreparedMedia {
  var table = MediaTable()
  /// What is not as it should be, in sentences, under the name that lets it pass.
  var problems: [NamedProblem] = []
  /// As long as it is held, the copies stay where they are.
  let cacheUse: FolderUse
}

/// How far media, and what was made of them, are trusted.
enum MediaCare: Equatable {
  /// A file of the recorded size (and time, where it is linked) is what was recorded.
  case trusting
  /// Every file is hashed.
  case hashing
  /// Every file is hashed, and where it has to be converted, that is done now, into a folder.
  case converting(into: Place)
}

extension Session {
  /// Where what can be made again is kept: the project's folder, or the user's where that cannot be written, or is a link.
  var cacheFolder: Place {
    let own = folder.place("Cache")
    if let folder = try? own.make(), folder.isWritable { return own }
    let users = Place(root: UserFolders.cache())
    try? users.makeRoot()
    return users
  }

  /// For a file or folder that is there only while somebody works with the cache.
  func newScratchPlace() -> Place { cacheFolder.appending(CacheFolder.scratchPrefix + UUID().uuidString) }

  /// The work with the cache is over: brings it back under its limit, unless others still work with it.
  func endUse(of prepared: PreparedBounce, _ setup: EngineSetup) {
    prepared.cacheUse.end()
    CacheFolder(cacheFolder).clear(downTo: setup.byteLimit)
  }

  /// Finds the media that a project plays, and converts what is at another rate. What is not there is listed.
  /// - Parameters:
  ///   - isHeard: which tracks matter.
  ///   - care: how far what is on the disk is trusted.
  /// - Throws: `Failure` where the disk fails.
  func prepareMedia(
    of project: Project, isHeard: (Track) -> Bool, care: MediaCare = .trusting, progress: @escaping MediaProgress
  ) throws -> PreparedMedia {
    let cacheFolder = cacheFolder
    var prepared = PreparedMedia(cacheUse: FolderUse(sharing: cacheFolder))
    let copies: WaveCache
    switch care {
    case .trusting, .hashing: copies = WaveCache(cacheFolder)
    case .converting(let place): copies = WaveCache(place)
    }
    let heard = Set(project.tracks.values.filter(isHeard).map(\.id))
    let regions = project.regions.values.filter { heard.contains($0.track) && !$0.isMuted }
    var playedSeconds: [AudioFileID: Double] = [:]
    for span in regions.lazy.compactMap(\.audio) { playedSeconds[span.file, default: 0] += span.duration.seconds }
    for (id, seconds) in playedSeconds.sorted(by: { $0.key < $1.key }) {
      guard let file = project.audioFiles[id] else { continue }
      guard let medium = try usableMedium(file.location, "audio file", care, &prepared) else { continue }
      prepared.table.audioFiles[id] = try audioSource(
        medium, of: file, isPlayedOver: seconds > file.duration.seconds, copies, rate: project.settings.sampleRate,
        progress)
    }
    let playing = Set(regions.map(\.track))
    let fonts = Set(project.tracks.values.filter { playing.contains($0.id) }.compactMap { $0.instrument?.soundFont })
    for id in fonts.sorted() {
      guard let font = project.soundFonts[id] else { continue }
      guard let medium = try usableMedium(font.location, "SoundFont", care, &prepared) else { continue }
      let isTried = medium.sha256 == font.location.sha256
      guard try isPlayable(soundFontAt: medium.path, isTried: isTried, &prepared) else { continue }
      prepared.table.soundFonts[id] = PreparedSoundFont(path: medium.path, sha256: medium.sha256)
    }
    return prepared
  }

  /// Where a medium is, and the hash of what is there: what the project recorded, unless it has changed.
  private func usableMedium(
    _ location: MediaLocation, _ noun: String, _ care: MediaCare, _ prepared: inout PreparedMedia
  ) throws -> (path: String, sha256: String)? {
    switch folder.state(of: location, isThorough: care != .trusting) {
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

  /// Whether a SoundFont can be played; where it is damaged, that is listed.
  /// - Parameter isTried: FluidSynth loaded it when the project recorded it; only what is cheap is looked at again.
  /// - Throws: `Failure` where there is no FluidSynth.
  private func isPlayable(
    soundFontAt path: String, isTried: Bool, _ prepared: inout PreparedMedia
  ) throws -> Bool {
    do throws(InstrumentError) {
      if isTried { try SoundFontLibrary.check(path: path) } else { _ = try SoundFontLibrary.presets(path: path) }
      return true
    } catch {
      switch error {
      case .soundFontBroken, .notASoundFont, .soundFontUnreadable, .soundFontMissing:
        prepared.problems.append(NamedProblem(problem: .missing, sentence: error.description))
        return false
      default: throw Failure(error)
      }
    }
  }

  /// The file itself, or its copy: at the project's rate, or decoded once, where regions play more of the file than there
  /// is.
  private func audioSource(
    _ medium: (path: String, sha256: String), of file: AudioFile, isPlayedOver: Bool, _ copies: WaveCache,
    rate: SampleRate, _ progress: @escaping MediaProgress
  ) throws -> AudioSource {
    var path = medium.path
    var facts =
      medium.sha256 == file.location.sha256
      ? try AudioFileFacts.read(path: path, countedFrames: file.frames) : try AudioFileFacts.read(path: path)
    if facts.sampleRate != rate || !facts.seeksExactly || (isPlayedOver && facts.pcmLayout == nil) {
      path = try copies.copy(of: path, facts: facts, sha256: medium.sha256, at: rate, progress: progress)
      facts = try AudioFileFacts.read(path: path)
    }
    return AudioSource(path: path, sha256: medium.sha256, facts: facts)
  }
}
