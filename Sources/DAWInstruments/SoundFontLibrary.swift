import Foundation

/// The SoundFonts of this machine, and what plays them.
public enum SoundFontLibrary {
  /// Where Debian and its kin put SoundFonts.
  public static let folders = [
    "/usr/share/sounds/sf2", "/usr/share/sounds/sf3", "/usr/share/soundfonts", "/usr/local/share/soundfonts",
  ]

  /// General MIDI SoundFonts by the names that packages give them, the preferred first. The first three are the links by
  /// which a system names its default.
  private static let preferred = [
    "default-gm.sf2", "default-gm.sf3", "default.sf2", "timgm6mb.sf2", "fluidr3_gm.sf2", "fluidr3_gm.sf3",
    "generaluser-gs.sf2", "generaluser.sf2", "musescore_general.sf3", "musescore_general.sf2", "ms basic.sf3",
  ]

  /// All SoundFonts in the folders, as absolute paths without links, each file once. What to take by default comes first:
  /// the system's own General MIDI default, then those of `preferred`, then by name. Files that do not begin as a
  /// SoundFont does, and folders that are not there, are left out.
  public static func installed(in folders: [String] = Self.folders) -> [String] {
    let found = folders.flatMap { folder in
      // A folder that cannot be listed has no SoundFonts to offer; that is no error.
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { (folder: folder, name: $0) }
    }
    let ranked = found.map { (rank: rank(of: $0.name), name: $0.name, path: "\($0.folder)/\($0.name)") }
    var seen: Set<String> = []
    return ranked.sorted { ($0.rank, $0.name, $0.path) < ($1.rank, $1.name, $1.path) }
      .map { URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path }
      .filter { isSoundFont(path: $0) && seen.insert($0).inserted }
  }

  /// Whether the file begins as SoundFont 2 and 3 do: a RIFF chunk of the form `sfbk`. `false` where it cannot be read.
  public static func isSoundFont(path: String) -> Bool {
    do throws(InstrumentError) {
      close(try openSoundFont(path: path))
      return true
    } catch {
      return false
    }
  }

  /// Whether a file is a SoundFont, and whole; FluidSynth is not asked. Reads little of it.
  /// - Throws: `soundFontMissing`, `soundFontUnreadable`, `notASoundFont`, `soundFontBroken`.
  public static func check(path: String) throws(InstrumentError) {
    let descriptor = try openSoundFont(path: path)
    defer { close(descriptor) }
    guard SoundFontStructure(descriptor: descriptor)?.isWhole == true else { throw .soundFontBroken(path: path) }
  }

  /// Of a file in one of the system's folders: where it may be instead, on a machine that has it in another of them.
  public static func otherPlaces(of path: String, in folders: [String] = Self.folders) -> [String] {
    let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
    return folders.contains(folder) ? folders.filter { $0 != folder }.map { "\($0)/\(name)" } : []
  }

  /// FluidSynth's version as it writes it, `2.3.1`. Equal samples are promised for equal versions.
  /// - Throws: `InstrumentError.libraryUnavailable`.
  public static func fluidSynthVersion() throws(InstrumentError) -> String { try FluidSynthLibrary.shared().version }

  /// Opens what begins as a SoundFont.
  /// - Returns: a descriptor, to be closed.
  /// - Throws: `soundFontMissing`, `soundFontUnreadable`, `notASoundFont`.
  private static func openSoundFont(path: String) throws(InstrumentError) -> CInt {
    // Without O_NONBLOCK a named pipe would be waited for; it cannot be read at a place, and so is refused below.
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
