import DAWMedia
import DAWModel
import Foundation

extension Session {
  /// The container by name or by the file's ending, and how samples lie in it.
  func format(of request: BounceRequest, _ project: Project) throws -> AudioFileFormat {
    var container = request.container ?? .wave
    if request.container == nil, case .file(let path) = request.destination {
      let ending = (path as NSString).pathExtension.lowercased()
      switch ending {
      case "wav", "wave", "": container = .wave
      case "rf64": container = .rf64
      case "flac": container = .flac
      case "aif", "aiff": container = .aiff
      default:
        throw Failure(
          .usage, code: "unknownFormat", "No format is known by the ending '.\(ending)'. Nothing was written.",
          hint: "Use .wav, .flac or .aiff, or say it with --format wav|rf64|flac|aiff.")
      }
    }
    let encoding = request.encoding ?? .int24
    guard container.encodings.contains(encoding) else {
      let bits = container.encodings.map { $0.isFloat ? "\($0.bitsPerSample)f" : "\($0.bitsPerSample)" }
      throw Failure(
        .usage, code: "unsupportedFormat", "\(container.rawValue) cannot hold \(encoding). Nothing was written.",
        hint: "Choose --bits \(bits.joined(separator: " or ")).")
    }
    return AudioFileFormat(
      container: container, encoding: encoding, sampleRate: project.settings.sampleRate, channelCount: 2)
  }

  /// Opens what the frames go to.
  func openSink(
    _ request: BounceRequest, _ project: Project, _ format: AudioFileFormat, frameCount: Int
  ) throws -> (sink: any AudioFileSink, path: String?) {
    switch request.destination {
    case .standardOutput:
      let writer = try WaveWriter(
        descriptor: STDOUT_FILENO, format: format, frameCount: Int64(frameCount))
      return (writer, nil)
    case .file(let path):
      let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
      return (try audioFileSink(path: absolute, format: format, replaces: request.overwrites), absolute)
    case .automatic:
      let path = try automaticPath(project, format)
      return (try audioFileSink(path: path, format: format), path)
    }
  }

  /// `Bounces/NAME.wav`, with the lowest number that is free behind the name.
  private func automaticPath(_ project: Project, _ format: AudioFileFormat) throws -> String {
    do {
      try FileManager.default.createDirectory(atPath: folder.bounces, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .cannotCreate, code: "cannotCreate", "The folder '\(folder.bounces)' cannot be written. Nothing was written.",
        hint: "Say where the file should go with -o.")
    }
    let ending = format.container == .rf64 ? "wav" : format.container.rawValue.lowercased()
    let name = project.settings.name.text.replacingOccurrences(of: "/", with: "-")
    var candidate = "\(folder.bounces)/\(name).\(ending)"
    var number = 2
    while access(candidate, F_OK) == 0 {
      candidate = "\(folder.bounces)/\(name) \(number).\(ending)"
      number += 1
    }
    return candidate
  }
}
