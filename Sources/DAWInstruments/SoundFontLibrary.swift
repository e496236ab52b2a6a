import Foundation

/// Where a preset stands in a SoundFont.
public struct SoundFontProgram: Hashable, Sendable {
  public var bank: Int
  public var program: Int

  public init(bank: Int, program: Int) {
    self.bank = bank
    self.program = program
  }
}

/// The SoundFonts installed on this machine, and FluidSynth's version.
public enum SoundFontLibrary {
  /// Where Debian-based distributions install SoundFonts.
  public static let folders = [
    "/usr/share/sounds/sf2", "/usr/share/sounds/sf3", "/usr/share/soundfonts", "/usr/local/share/soundfonts",
  ]

  /// General MIDI SoundFonts by their names in packages, the preferred first. The first three are links to a system's
  /// default.
  private static let preferred = [
    "default-gm.sf2", "default-gm.sf3", "default.sf2", "timgm6mb.sf2", "fluidr3_gm.sf2", "fluidr3_gm.sf3",
    "generaluser-gs.sf2", "generaluser.sf2", "musescore_general.sf3", "musescore_general.sf2", "ms basic.sf3",
  ]

  /// All SoundFonts in the folders, as absolute paths with links resolved, without duplicates. In order of preference:
  /// the system's General MIDI default, those of `preferred`, then by name. Files without a SoundFont header and
  /// folders that do not exist are left out.
  public static func installed(in folders: [String] = Self.folders) -> [String] {
    let found = folders.flatMap { folder in
      // A folder that cannot be listed is treated as empty.
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { (folder: folder, name: $0) }
    }
    let ranked = found.map { (rank: rank(of: $0.name), name: $0.name, path: "\($0.folder)/\($0.name)") }
    var seen: Set<String> = []
    return ranked.sorted { ($0.rank, $0.name, $0.path) < ($1.rank, $1.name, $1.path) }
      .map { URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path }
      .filter { isSoundFont(path: $0) && seen.insert($0).inserted }
  }

  /// Whether the file has the header of SoundFont 2 or 3, a RIFF chunk of the form `sfbk`. `false` if it cannot be
  /// read.
  public static func isSoundFont(path: String) -> Bool {
    do throws(InstrumentError) {
      close(try openSoundFont(path: path))
      return true
    } catch {
      return false
    }
  }

  /// Checks that a file is a complete SoundFont, without FluidSynth. Reads little of it.
  /// - Throws: `soundFontMissing`, `soundFontUnreadable`, `notASoundFont`, `soundFontBroken`.
  public static func check(path: String) throws(InstrumentError) {
    let descriptor = try openSoundFont(path: path)
    defer { close(descriptor) }
    guard SoundFontStructure(descriptor: descriptor)?.isWhole == true else { throw .soundFontBroken(path: path) }
  }

  /// The names of a file's presets, without FluidSynth; empty if it is no complete SoundFont.
  public static func presetNames(path: String) -> [SoundFontProgram: String] {
    do throws(InstrumentError) {
      let descriptor = try openSoundFont(path: path)
      defer { close(descriptor) }
      return SoundFontStructure(descriptor: descriptor)?.presetNames ?? [:]
    } catch {
      return [:]
    }
  }

  /// For a file in one of the system's folders: the same name in the other folders, where another machine may have it.
  public static func sameNameElsewhere(of path: String) -> [String] {
    // Foundation's functions end the program where a name alone is one character.
    guard path.contains("/") else { return [] }
    let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
    return folders.contains(folder) ? folders.filter { $0 != folder }.map { "\($0)/\(name)" } : []
  }

  /// FluidSynth's version, such as `2.3.1`. Renders are reproducible for equal versions.
  /// - Throws: `InstrumentError.libraryUnavailable`.
  public static func fluidSynthVersion() throws(InstrumentError) -> String { try FluidSynthLibrary.shared().version }

  /// Opens a file with a SoundFont header.
  /// - Returns: a file descriptor, to be closed by the caller.
  /// - Throws: `soundFontMissing`, `soundFontUnreadable`, `notASoundFont`.
  private static func openSoundFont(path: String) throws(InstrumentError) -> CInt {
    // Without O_NONBLOCK, opening a named pipe would block. `pread` fails on a pipe, so it is refused below.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { throw .soundFontMissing(path: path) }
      throw .soundFontUnreadable(path: path, reason: String(cString: strerror(errno)))
    }
    var head = [UInt8](repeating: 0, count: 12)
    let count = pread(descriptor, &head, head.count, 0)
    let reason = count < 0 ? String(cString: strerror(errno)) : nil
    if let reason {
      close(descriptor)
      throw .soundFontUnreadable(path: path, reason: reason)
    }
    guard head.starts(with: "RIFF".utf8), head[8...].elementsEqual("sfbk".utf8) else {
      close(descriptor)
      throw .notASoundFont(path: path)
    }
    return descriptor
  }

  private static func rank(of name: String) -> Int {
    preferred.firstIndex(of: name.lowercased()) ?? preferred.count
  }
}
