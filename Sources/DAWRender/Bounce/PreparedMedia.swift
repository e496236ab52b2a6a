import DAWCompiler
import DAWEngine
import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import DAWProject
import DAWTime

/// A project's media, prepared for the engine.
struct PreparedMedia {
  var table = MediaTable()
  /// What is missing, unreadable or changed.
  var problems: [NamedProblem] = []
  /// A lock that keeps the copies from being removed from the cache.
  let cacheUse: FolderUse
}

/// How thoroughly media, and files made from them, are verified.
enum MediaCare: Equatable {
  /// A file of the recorded size and time is assumed unchanged, and one that is as it was when it was hashed last.
  case trusting
  /// Every file is hashed.
  case hashing
  /// Every file is hashed, and files that need conversion are converted again, into a folder.
  case converting(into: Place)
}

extension Session {
  /// Finds the media that a project plays, and converts files of other sample rates. Missing media are listed.
  /// - Parameters:
  ///   - tracks: those that are heard.
  ///   - care: how thoroughly files are verified.
  ///   - allowed: the problems that are not refused. A medium that was changed is only looked at if it may be played.
  /// - Throws: `Failure` on errors of the disk.
  func prepareMedia(
    of project: Project, on tracks: Set<TrackID>, care: MediaCare, allowed: Set<BounceProblem>,
    progress: @escaping MediaProgress
  ) throws -> PreparedMedia {
    let cacheFolder = cacheFolder
    var prepared = PreparedMedia(cacheUse: FolderUse(sharing: cacheFolder))
    let copies: WaveCache
    switch care {
    case .trusting, .hashing: copies = WaveCache(cacheFolder)
    case .converting(let place): copies = WaveCache(place)
    }
    let played = project.playedMedia(on: tracks)
    let files = Dictionary(grouping: played.files.sorted { $0.key < $1.key }, by: { $0.key.id })
    for (id, directions) in files.sorted(by: { $0.key < $1.key }) {
      guard let file = project.audioFiles[id] else {
        prepared.problems.append(.missingRow(id))
        continue
      }
      guard let bytes = try usableBytes(of: file, care, allowed, &prepared, progress) else { continue }
      for (direction, seconds) in directions {
        prepared.table[direction] = try source(
          bytes, of: file, isPlayedOver: seconds > file.duration.seconds, isReversed: direction.isReversed, copies,
          rate: project.settings.sampleRate, progress)
      }
    }
    for id in played.soundFonts.sorted() {
      guard let font = project.soundFonts[id] else {
        prepared.problems.append(.missingRow(id))
        continue
      }
      guard let bytes = try usableBytes(of: font, care, allowed, &prepared, progress) else { continue }
      let isTried = bytes.sha256 == font.location.sha256
      guard try isPlayable(soundFontAt: bytes.path, isTried: isTried, &prepared) else { continue }
      prepared.table.soundFonts[id] = PreparedSoundFont(path: bytes.path, sha256: bytes.sha256)
    }
    return prepared
  }

  /// The path of a medium, and the hash of its bytes: the recorded one, unless it has changed.
  private func usableBytes(
    of medium: some Medium, _ care: MediaCare, _ allowed: Set<BounceProblem>, _ prepared: inout PreparedMedia,
    _ progress: @escaping MediaProgress
  ) throws -> (path: String, sha256: String)? {
    let location = medium.location
    var isInterrupted = false
    let goesOn: MediaProgress = { done, total in
      if !progress(done, total) { isInterrupted = true }
      return !isInterrupted
    }
    let state = folder.state(of: location, isThorough: care != .trusting, progress: goesOn)
    let path = folder.find(location, progress: goesOn)
    if isInterrupted { throw MediaWorkError.cancelled }
    switch state {
    case .asRecorded: return path.map { ($0, location.sha256) }
    case .missing:
      prepared.problems.append(NamedProblem(problem: .missing, sentence: medium.missingSentence))
      return nil
    case .unreadable(let reason):
      prepared.problems.append(NamedProblem(problem: .missing, sentence: medium.unreadableSentence(reason)))
      return nil
    case .changed:
      prepared.problems.append(NamedProblem(problem: .changed, sentence: medium.changedSentence))
      guard allowed.contains(.changed) else { return nil }
      return try path.map { ($0, try sha256(ofFile: $0, progress: goesOn).sha256) }
    }
  }

  /// Whether a SoundFont can be played; if not, the problem is listed.
  /// - Parameter isTried: whether FluidSynth has loaded these bytes before; then only cheap checks are made.
  /// - Throws: `Failure` if FluidSynth is missing.
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

  /// The file itself, or a copy: converted to the project's sample rate, or decoded once if regions in total play more
  /// frames than the file has, or reversed.
  private func source(
    _ bytes: (path: String, sha256: String), of file: AudioFile, isPlayedOver: Bool, isReversed: Bool,
    _ copies: WaveCache, rate: SampleRate, _ progress: @escaping MediaProgress
  ) throws -> AudioSource {
    var path = bytes.path
    var facts =
      bytes.sha256 == file.location.sha256
      ? try AudioFileFacts.read(path: path, countedFrames: file.frames) : try AudioFileFacts.read(path: path)
    if facts.needsCopy(at: rate, isReversed: isReversed) || (isPlayedOver && facts.isDecoded) {
      do {
        path = try copies.copy(
          of: path, facts: facts, sha256: bytes.sha256, at: rate, isReversed: isReversed, progress: progress)
      } catch {
        if copies.place == cacheFolder { try requireCacheFolder() }
        throw error
      }
      facts = try AudioFileFacts.read(path: path)
    }
    return AudioSource(path: path, sha256: bytes.sha256, facts: facts)
  }
}

extension NamedProblem {
  /// A reference to a row that is not there: another program has written the file with its checks turned off.
  fileprivate static func missingRow<Kind: IdentifiedKind>(_ id: Identifier<Kind>) -> NamedProblem {
    NamedProblem(problem: .missing, sentence: "The project has no \(Kind.noun) with the id \(id), which it refers to.")
  }
}
