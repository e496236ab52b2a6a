import DAWErrors
import Glibc

/// The program `ffmpeg`, for formats that libsndfile does not have. It is optional, and runs as another process: it
/// sees one file by its descriptor, so that no name is taken for an option or an address, and opens no other.
public struct FFmpeg: Sendable {
  /// Absolute.
  public let path: String

  /// - Returns: `nil` where it is not installed.
  public static func find() -> FFmpeg? { program("ffmpeg").map(FFmpeg.init(path:)) }

  /// Such as `5.1.9-0+deb12u1`; empty where it does not say.
  public var version: String {
    guard let output = try? MemoryFile(),
      let process = try? ChildProcess(path: path, arguments: ["-version"], output: output.number),
      process.wait() == .exited(0)
    else { return "" }
    let words = output.text.prefix { !$0.isNewline }.split(separator: " ")
    return words.count > 2 && words[1] == "version" ? String(words[2]) : ""
  }

  /// - Throws: `Failure` where it is not installed.
  /// - Parameter purpose: the beginning of a sentence: "M4A is written".
  public static func required(_ purpose: String) throws(Failure) -> FFmpeg {
    if let found = find() { return found }
    throw Failure(
      .unavailable, code: "ffmpegNotFound", "\(purpose) by ffmpeg, which is not installed. Nothing was written.",
      hint: "Install it ('apt install ffmpeg'), or choose another --format.")
  }

  /// In the folders of `PATH` that are absolute.
  static func program(_ name: String) -> String? {
    guard let paths = getenv("PATH") else { return nil }
    return String(cString: paths).split(separator: ":").filter { $0.hasPrefix("/") }
      .map { Path.joining(String($0), name) }.first { access($0, X_OK) == 0 }
  }

  /// Before each input: nothing but the file itself is opened, and none that names others, such as a playlist.
  static let inputLimits = ["-protocol_whitelist", "file,pipe", "-format_whitelist", demuxers.joined(separator: ",")]

  /// Containers and streams that hold sound; playlists, scripts, devices, images and games' music are left out.
  private static let demuxers = [
    "mov", "matroska", "asf", "avi", "flv", "mpegts", "mpeg", "mp3", "aac", "loas", "latm", "ac3", "eac3", "dts",
    "truehd",
    "mlp", "ape", "wv", "tta", "tak", "mpc", "mpc8", "shn", "dsf", "iff", "aiff", "au", "caf", "wav", "w64", "ogg",
    "flac",
    "amr", "amrnb", "amrwb", "gsm", "oma", "voc", "ac4", "sbc", "aptx", "aptx_hd", "xwma", "wsd", "bonk", "osq",
  ]

  /// The reason it gave, in a few words.
  /// - Parameter path: of the file, for the name that ffmpeg knows it by.
  static func reason(_ ending: StartedProcess.Ending, _ complaints: [String]) -> String {
    switch ending {
    case .killed(SIGXFSZ): return "the sound is longer than \(ChildProcess.maximumFileBytes >> 30) GiB"
    case .killed(SIGXCPU): return "it took more than \(ChildProcess.maximumSeconds / 60) minutes of processor time"
    case .killed(let signal): return "ffmpeg was ended by signal \(signal)"
    case .exited(127): return "ffmpeg cannot be run"
    case .exited: break
    }
    // The first says most: what follows is a consequence.
    guard let line = complaints.first(where: { !$0.isEmpty }) else { return "ffmpeg does not say why" }
    return plain(line)
  }

  /// Whether it complains that the disk, or what the user may have of it, is full.
  static func isOfFullDisk(_ complaints: [String]) -> Bool {
    [ENOSPC, EDQUOT].contains { code in
      complaints.contains { $0.contains(String(cString: strerror(code))) }
    }
  }

  /// Without the part of ffmpeg and the descriptor before it: "[mov @ 0x55] moov atom not found".
  static func plain(_ line: String) -> String {
    var text = line[...]
    while text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      text = text[text.index(after: end)...].drop { $0 == " " }
    }
    if text.hasPrefix("file:/dev/fd/"), let end = text.firstRange(of: ": ") { text = text[end.upperBound...] }
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    return text.contains("not on whitelist") ? "a format that is not read" : String(text)
  }
}
