import DAWErrors
import DAWInstruments
import DAWModel
import DAWStore
import Foundation

/// A SoundFont in a listing: of the project, installed on this machine, or both.
public struct SoundFontEntry: Encodable, Sendable {
  /// The state of its file.
  public enum State: String, Encodable, Sendable {
    case asRecorded, missing, changed, unreadable
    /// Truncated or corrupt.
    case damaged
  }

  /// The file's name without its extension.
  public var name: String
  /// Relative to the project for files inside it; otherwise absolute.
  public var path: String
  public var byteCount: Int64
  /// Whether it is in one of the system's folders.
  public var isInstalled: Bool
  /// `nil` if it is not the project's.
  public var id: SoundFontID?
  /// Whether the project's file is linked, rather than copied into the project; `nil` if it is not the project's.
  public var isLinked: Bool?
  /// `nil` if it is not the project's.
  public var state: State?
  /// The names of the tracks that use it.
  public var tracks: [String]
}

extension SoundFontEntry {
  /// The project's SoundFonts in order of id, then the installed ones that it does not have, the default first.
  /// - Throws: `Failure`.
  public static func all(_ session: Session?) throws -> [SoundFontEntry] {
    let installed = InstalledSoundFont.all()
    let own = try session?.soundFontEntries(installed: Set(installed.map(\.path))) ?? []
    let paths = Set(own.map(\.path))
    return own
      + installed.filter { !paths.contains($0.path) }.map {
        SoundFontEntry(name: $0.name, path: $0.path, byteCount: $0.byteCount, isInstalled: true, tracks: [])
      }
  }
}

extension Session {
  fileprivate func soundFontEntries(installed: Set<String>) throws -> [SoundFontEntry] {
    let (fonts, tracks) = try read { (try $0.soundFonts(), try $0.trackNamesBySoundFont()) }
    return fonts.map { font in
      SoundFontEntry(
        name: SoundFontChoice.name(ofFile: font.location.path), path: font.location.path,
        byteCount: font.location.byteCount, isInstalled: installed.contains(font.location.path), id: font.id,
        isLinked: font.location.isLinked, state: state(of: font),
        tracks: tracks[font.id] ?? [])
    }
  }

  /// Always compares the hash.
  private func state(of font: SoundFont) -> SoundFontEntry.State {
    switch folder.state(of: font.location, isThorough: true) {
    case .missing: return .missing
    case .changed: return .changed
    case .unreadable: return .unreadable
    case .asRecorded:
      guard let path = folder.find(font.location) else { return .missing }
      do throws(InstrumentError) {
        try SoundFontLibrary.check(path: path)
        return .asRecorded
      } catch {
        return .damaged
      }
    }
  }

  /// The presets of a SoundFont, in order of bank and program.
  /// - Parameter session: the project in which the SoundFont's name is looked up as well.
  /// - Throws: `Failure`.
  public static func presets(of choice: SoundFontChoice, in session: Session?) throws -> [PresetEntry] {
    try failing {
      let found = try session?.read { try choice.found(in: $0) } ?? choice.found(in: nil)
      let path: String
      switch found {
      case .file(let file), .installed(let file): path = file
      case .own(let font):
        guard let file = session?.folder.find(font.location) else {
          throw Failure(.noInput, code: "missing", font.missingSentence, hint: "'daw check' says how to fix it.")
        }
        path = file
      }
      do throws(InstrumentError) {
        return try SoundFontLibrary.presets(path: path).map {
          PresetEntry(bank: $0.bank, program: $0.program, name: $0.name)
        }
      } catch {
        if case .soundFontBroken = error { throw InstalledSoundFont.refusal(path, error) }
        throw error
      }
    }
  }
}

/// A preset of a SoundFont, in a listing.
public struct PresetEntry: Encodable, Sendable {
  /// Bank 128 has the drum kits.
  public var bank: Int
  public var program: Int
  /// The SoundFont's name of the preset.
  public var name: String
}
