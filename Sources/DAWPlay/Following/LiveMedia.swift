import DAWCompiler
import DAWEngine
import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

/// The media of a playing project. A check does not wait for conversions and opens only what changed
/// since the last check. Used by one thread.
struct LiveMedia {
  private let folder: ProjectFolder
  private let cache: WaveCache
  /// Locked, so that no process cleans the cache files being played.
  private let cacheUse: FolderUse
  private var known: [PlayedFile: Known] = [:]
  private var knownFonts: [SoundFontID: KnownFont] = [:]
  /// What the last check could not use.
  private var unusable: [Unusable] = []

  /// The result for a file, valid while the file is unchanged.
  private struct Known {
    var location: MediaLocation
    var rate: SampleRate
    var stamp: FileState
    var source: AudioSource
  }

  private struct KnownFont {
    var location: MediaLocation
    var stamp: FileState
    var font: PreparedSoundFont
  }

  private struct Unusable {
    var location: MediaLocation
    /// The file at fault, of a take perhaps a segment; `nil` where the medium itself is missing.
    var fault: String?
    /// As it was; `nil` if it is missing.
    var stamp: FileState?
  }

  /// A file that has to be converted before it can be heard.
  struct Conversion {
    fileprivate var isReversed: Bool
    fileprivate var path: String
    fileprivate var facts: AudioFileFacts
    fileprivate var sha256: String
    fileprivate var rate: SampleRate
  }

  /// The media found by one check.
  struct Look {
    var table = MediaTable()
    /// A sentence for each file or SoundFont that played before and is now missing.
    var vanished: [String] = []
    /// A sentence for each one that was missing from the start; it is silent.
    var missing: [String] = []
    var conversions: [Conversion] = []
    /// Media that are silent: missing, or not yet converted.
    var silentCount: Int { missing.count + conversions.count }
  }

  init(folder: ProjectFolder, cacheFolder: Place) {
    self.folder = folder
    cache = WaveCache(cacheFolder)
    cacheUse = FolderUse(sharing: cacheFolder)
  }

  /// Finds what a project plays.
  ///
  /// It differs from a bounce, which can wait and must be right. All tracks count: a mute can be lifted at any time.
  /// What is missing is silent; a reference to a row that is not there is left to `daw check`. No file is decoded first
  /// because regions play over it, no SoundFont is loaded to try it, and a file in the project's folder that is played
  /// itself is not hashed.
  mutating func look(at project: Project) -> Look {
    var look = Look()
    unusable = []
    let played = project.playedMedia()
    for wanted in played.files.keys.sorted() {
      guard let file = project.audioFiles[wanted.id] else { continue }
      find(file, wanted, rate: project.settings.sampleRate, &look)
    }
    for id in played.soundFonts.sorted() {
      guard let font = project.soundFonts[id] else { continue }
      find(font, &look)
    }
    // What the project plays no longer may vanish.
    known = known.filter { played.files[$0.key] != nil }
    knownFonts = knownFonts.filter { played.soundFonts.contains($0.key) }
    return look
  }

  /// Whether all media that the last check found still exist, and what it could not use is as it was. One `stat` per
  /// file.
  var isAsFound: Bool {
    known.values.allSatisfy { FileState(of: $0.source.path) != nil }
      && knownFonts.values.allSatisfy { FileState(of: $0.font.path) != nil }
      && unusable.allSatisfy { medium in
        medium.fault.map { FileState(of: $0) == medium.stamp } ?? (folder.find(medium.location) == nil)
      }
  }

  private mutating func note(_ location: MediaLocation, at path: String, _ error: any Error) {
    let fault = (error as? AudioFileError)?.path ?? path
    unusable.append(Unusable(location: location, fault: fault, stamp: FileState(of: fault)))
  }

  /// Converts a file into the cache.
  /// - Parameter goesOn: returns false to cancel.
  /// - Throws: `MediaWorkError`.
  func convert(_ conversion: Conversion, goesOn: @escaping @Sendable () -> Bool) throws(MediaWorkError) {
    _ = try cache.copy(
      of: conversion.path, facts: conversion.facts, sha256: conversion.sha256, at: conversion.rate,
      isReversed: conversion.isReversed, progress: { _, _ in goesOn() })
  }

  private mutating func find(_ file: AudioFile, _ wanted: PlayedFile, rate: SampleRate, _ look: inout Look) {
    let path = folder.find(file.location)
    let stamp = path.flatMap(FileState.init(of:))
    if let usual = known[wanted], usual.location == file.location, usual.rate == rate {
      if let stamp, stamp == usual.stamp, FileState(of: usual.source.path) != nil {
        look.table[wanted] = usual.source
        return
      }
      if stamp == nil {
        look.vanished.append(file.vanishedSentence)
        return
      }
    }
    guard let path, let stamp else {
      unusable.append(Unusable(location: file.location))
      look.missing.append(file.missingSentence)
      return
    }
    do {
      let facts = try AudioFileFacts.read(path: path)
      let isPlayedItself = !facts.needsCopy(at: rate, isReversed: wanted.isReversed)
      // What it sounds like does not depend on the hash; that of a copy in the cache does.
      let sha256 = try currentHash(file.location, at: path, trustsCopies: isPlayedItself)
      if isPlayedItself {
        let source = AudioSource(path: path, sha256: sha256, facts: facts)
        known[wanted] = Known(location: file.location, rate: rate, stamp: stamp, source: source)
        look.table[wanted] = source
        return
      }
      let copy = cache.path(ofCopyWith: sha256, facts: facts, at: rate, isReversed: wanted.isReversed)
      guard let copyFacts = try? AudioFileFacts.read(path: copy),
        copyFacts.frames == AudioConversion.frameCount(of: facts, at: rate)
      else {
        look.conversions.append(
          Conversion(isReversed: wanted.isReversed, path: path, facts: facts, sha256: sha256, rate: rate))
        return
      }
      let source = AudioSource(path: copy, sha256: sha256, facts: copyFacts)
      known[wanted] = Known(location: file.location, rate: rate, stamp: stamp, source: source)
      look.table[wanted] = source
    } catch {
      note(file.location, at: path, error)
      look.missing.append(file.unplayableSentence(error))
    }
  }

  private mutating func find(_ font: SoundFont, _ look: inout Look) {
    let path = folder.find(font.location)
    let stamp = path.flatMap(FileState.init(of:))
    if let usual = knownFonts[font.id], usual.location == font.location {
      if let stamp, stamp == usual.stamp {
        look.table.soundFonts[font.id] = usual.font
        return
      }
      if stamp == nil {
        look.vanished.append(font.vanishedSentence)
        return
      }
    }
    guard let path, let stamp else {
      unusable.append(Unusable(location: font.location))
      look.missing.append(font.missingSentence)
      return
    }
    do {
      try SoundFontLibrary.check(path: path)
      let prepared = PreparedSoundFont(path: path, sha256: try currentHash(font.location, at: path, trustsCopies: true))
      knownFonts[font.id] = KnownFont(location: font.location, stamp: stamp, font: prepared)
      look.table.soundFonts[font.id] = prepared
    } catch let error as InstrumentError {
      note(font.location, at: path, error)
      look.missing.append(error.description)
    } catch {
      note(font.location, at: path, error)
      look.missing.append(font.unplayableSentence(error))
    }
  }

  /// What the project recorded, unless the file has changed.
  /// - Parameter trustsCopies: whether a file in the project's folder is not read, so that nothing has to wait for it.
  private func currentHash(_ location: MediaLocation, at path: String, trustsCopies: Bool) throws -> String {
    folder.state(of: location, trustsCopies: trustsCopies) == .asRecorded
      ? location.sha256 : try folder.keptHash(ofFile: path)
  }
}

extension Medium {
  fileprivate var vanishedSentence: String { "The \(subject) is not there any more." }
  fileprivate func unplayableSentence(_ error: any Error) -> String {
    "The \(subject) cannot be played: \(Failure(error).message)"
  }
}
