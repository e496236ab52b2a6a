import Foundation

/// The MIDI files of Debian's package openttd-openmsx; empty if it is not installed.
public enum RealMIDIFiles {
  public static let paths: [String] = {
    let folder = "/usr/share/games/openttd/baseset/openmsx"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".mid") }.sorted().map { "\(folder)/\($0)" }
  }()
}
