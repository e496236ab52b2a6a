import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import DAWTime

/// A project's media, prepared for the engine.
package struct PreparedMedia {
  /// An audio file at the project's sample rate: the file itself, or a converted copy in the cache.
  package struct PlayableFile {
    /// Absolute.
    package var path: String
    /// The medium's, 64 hexadecimal digits.
    package var sha256: String
    /// The facts of the file at `path`.
    package var facts: AudioFileFacts
  }

  package struct PlayableSoundFont {
    /// Absolute.
    package var path: String
    /// 64 hexadecimal digits.
    package var sha256: String
  }

  /// A medium that differs from what the project recorded.
  package struct Problem {
    package enum Kind {
      /// Missing or unreadable.
      case missing
      /// The bytes differ.
      case changed
    }

    package var kind: Kind
    package var sentence: String

    /// A reference to a row that is not there: another program has written the file with its checks turned off.
    static func missingRow(of noun: String, _ id: String) -> Problem {
      Problem(kind: .missing, sentence: "The project has no \(noun) with the id \(id), which it refers to.")
    }
  }

  package var audioFiles: [AudioFileID: PlayableFile] = [:]
  /// Copies from the last frame to the first.
  package var reversedFiles: [AudioFileID: PlayableFile] = [:]
  package var soundFonts: [SoundFontID: PlayableSoundFont] = [:]
  package var problems: [Problem] = []
  /// A lock that keeps the copies from being removed from the cache.
  package let cacheUse: FolderUse
}

/// How thoroughly media, and files made from them, are verified.
package enum MediaCare: Equatable {
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
  ///   - isHeard: selects the tracks.
  ///   - care: how thoroughly files are verified.
  /// - Throws: `Failure` on errors of the disk.
  package func prepareMedia(
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
    let regions = project.regions.values.filter { heard.contains($0.track) && $0.isHeard }
    var playedSeconds: [AudioFileID: Double] = [:]
    var reversed: Set<AudioFileID> = []
    for span in regions.lazy.compactMap(\.audio) {
      playedSeconds[span.file, default: 0] += span.isReversed ? 0 : span.duration.seconds
      if span.isReversed { reversed.insert(span.file) }
    }
    for (id, seconds) in playedSeconds.sorted(by: { $0.key < $1.key }) {
      guard let file = project.audioFiles[id] else {
        prepared.problems.append(.missingRow(of: "audio file", id.uuidString))
        continue
      }
      guard let medium = try usableMedium(file.location, "audio file", care, &prepared) else { continue }
      if seconds > 0 {
        prepared.audioFiles[id] = try playableFile(
          medium, of: file, isPlayedOver: seconds > file.duration.seconds, copies, rate: project.settings.sampleRate,
          progress)
      }
      if reversed.contains(id) {
        prepared.reversedFiles[id] = try playableFile(
          medium, of: file, isReversed: true, copies, rate: project.settings.sampleRate, progress)
      }
    }
    let playing = Set(regions.map(\.track))
    let fonts = Set(playing.compactMap { project.instrument(of: $0)?.soundFont })
    for id in fonts.sorted() {
      guard let font = project.soundFonts[id] else {
        prepared.problems.append(.missingRow(of: "SoundFont", id.uuidString))
        continue
      }
      guard let medium = try usableMedium(font.location, "SoundFont", care, &prepared) else { continue }
      let isTried = medium.sha256 == font.location.sha256
      guard try isPlayable(soundFontAt: medium.path, isTried: isTried, &prepared) else { continue }
      prepared.soundFonts[id] = PreparedMedia.PlayableSoundFont(path: medium.path, sha256: medium.sha256)
    }
    return prepared
  }

  /// The path of a medium, and the hash of its bytes: the recorded one, unless it has changed.
  private func usableMedium(
    _ location: MediaLocation, _ noun: String, _ care: MediaCare, _ prepared: inout PreparedMedia
  ) throws -> (path: String, sha256: String)? {
    switch folder.state(of: location, isThorough: care != .trusting) {
    case .asRecorded: return folder.find(location).map { ($0, location.sha256) }
    case .missing:
      prepared.problems.append(
        PreparedMedia.Problem(kind: .missing, sentence: "The \(noun) '\(location.path)' is missing."))
      return nil
    case .unreadable(let reason):
      prepared.problems.append(
        PreparedMedia.Problem(kind: .missing, sentence: "The \(noun) '\(location.path)' cannot be read: \(reason)"))
      return nil
    case .changed:
      prepared.problems.append(
        PreparedMedia.Problem(
          kind: .changed, sentence: "The \(noun) '\(location.path)' is not what the project recorded."))
      return try folder.find(location).map { ($0, try sha256(ofFile: $0).sha256) }
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
        prepared.problems.append(PreparedMedia.Problem(kind: .missing, sentence: error.description))
        return false
      default: throw Failure(error)
      }
    }
  }

  /// The file itself, or a copy: converted to the project's sample rate, or decoded once if regions in total play more
  /// frames than the file has, or reversed.
  private func playableFile(
    _ medium: (path: String, sha256: String), of file: AudioFile, isPlayedOver: Bool = false, isReversed: Bool = false,
    _ copies: WaveCache, rate: SampleRate, _ progress: @escaping MediaProgress
  ) throws -> PreparedMedia.PlayableFile {
    var path = medium.path
    var facts =
      medium.sha256 == file.location.sha256
      ? try AudioFileFacts.read(path: path, countedFrames: file.frames) : try AudioFileFacts.read(path: path)
    if isReversed || facts.sampleRate != rate || !facts.seeksExactly || (isPlayedOver && facts.isDecoded) {
      path = try copies.copy(
        of: path, facts: facts, sha256: medium.sha256, at: rate, isReversed: isReversed, progress: progress)
      facts = try AudioFileFacts.read(path: path)
    }
    return PreparedMedia.PlayableFile(path: path, sha256: medium.sha256, facts: facts)
  }
}
