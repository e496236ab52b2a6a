import DAWErrors
import DAWJack
import DAWMedia
import DAWProject
import DAWTime
import Foundation

/// What was recorded into a file.
public struct RecordedSound: Sendable {
  public var seconds: Double
  /// Frames that were lost, and are missing in the file.
  public var lostFrames: Int
  /// Whether the server went away before the end.
  public var hasLostServer: Bool

  /// As sentences.
  public var warnings: [String] {
    [
      lostFrames > 0 ? "\(lostFrames) frames were lost: the server did not call." : nil,
      hasLostServer ? "The JACK server went away; what was recorded until then is kept." : nil,
    ].compactMap(\.self)
  }
}

extension Session {
  /// Seconds that may be recorded at once.
  private static let longestSound = 3_600.0

  /// Records one channel from a port, without playing, into a WAV file of 24 bits that is there while `body` runs.
  /// - Parameters:
  ///   - source: the full name of the port.
  ///   - server: `nil`: the usual one.
  ///   - seconds: how much, an hour at most; `nil`: until it is interrupted.
  ///   - name: of the file.
  ///   - isInterrupted: asked many times a second; true ends it, and what was recorded is kept.
  /// - Throws: `Failure`; what was recorded is then in the current folder, if `body` has failed.
  public func withRecordedSound<T>(
    from source: String, server: String?, seconds: Double?, named name: String, isInterrupted: () -> Bool,
    _ body: (_ path: String, _ sound: RecordedSound) throws -> T
  ) throws -> T {
    let use = FolderUse(sharing: cacheFolder)
    defer { use.end() }
    let scratch = newScratchPlace()
    defer { scratch.removeAll() }
    let place = scratch.appending(name)
    let sound = try failing {
      _ = try scratch.make(mode: 0o700)
      return try record(from: source, server: server, seconds: seconds, to: place, isInterrupted: isInterrupted)
    }
    do {
      return try body(place.path, sound)
    } catch {
      let failure = Failure(error)
      guard let kept = Self.keep(place, in: FileManager.default.currentDirectoryPath) else { throw failure }
      throw Failure(
        failure.kind, code: failure.code, "\(failure.message) What was recorded is in '\(kept)'.", hint: failure.hint)
    }
  }

  /// Copies a file into a folder, under a name that is free there.
  /// - Returns: the name; `nil` if it could not be copied.
  private static func keep(_ place: Place, in path: String) -> String? {
    guard let source = try? place.parent.open(), let folder = try? Folder(path: path) else { return nil }
    for number in 1...100 {
      let name = number == 1 ? place.name : "\(number) \(place.name)"
      do throws(SystemCallFailure) {
        try source.copy(place.name, to: folder, as: name)
        return name
      } catch {
        if error.code != EEXIST { return nil }
      }
    }
    return nil
  }

  private func record(
    from source: String, server: String?, seconds: Double?, to place: Place, isInterrupted: () -> Bool
  ) throws -> RecordedSound {
    let capture: InputCapture
    do throws(JackError) {
      capture = try InputCapture(server: server, source: source)
    } catch {
      if case .connection(let port) = error {
        throw Failure(
          .noInput, code: "jackPortNotFound",
          "There is no JACK output port '\(port)' to listen to. Nothing was changed.",
          hint: "'daw list-inputs' lists the ports.")
      }
      throw Failure(error, server: server, folder: folder.name)
    }
    defer { capture.close() }
    let rate = capture.sampleRate
    let wanted = Int64((min(seconds ?? Self.longestSound, Self.longestSound) * Double(rate.hertz)).rounded(.up))
    let writer = try WaveWriter(
      at: place, format: AudioFileFormat(encoding: .int24, sampleRate: rate, channelCount: 1))
    var lastFrames = ContinuousClock.now
    var hasLostServer = false
    while writer.frameCount < wanted, !hasLostServer {
      let isEnding = isInterrupted()
      try capture.read { piece in
        lastFrames = .now
        guard let samples = piece.baseAddress else { return }
        let count = Int(min(Int64(piece.count), wanted - writer.frameCount))
        try writer.append(interleaved: samples, frameCount: count)
      }
      if isEnding { break }
      // A server that runs calls many times a second.
      hasLostServer = ContinuousClock.now - lastFrames > .seconds(2)
      usleep(20_000)
    }
    guard writer.frameCount > 0 else {
      if hasLostServer { throw Failure(JackError.lost, server: server, folder: folder.name) }
      throw Failure(.interrupted, code: "interrupted", "Interrupted. Nothing was changed.")
    }
    try writer.finish()
    return RecordedSound(
      seconds: Double(writer.frameCount) / Double(rate.hertz), lostFrames: max(0, capture.lostFrames),
      hasLostServer: hasLostServer)
  }
}
