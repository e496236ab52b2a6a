import DAWBounce
import DAWMedia
import Foundation

/// What became of a file when it was rendered again.
public struct VerificationReport: Equatable, Sendable {
  public var path: String
  /// Whether the file holds what the project renders now.
  public var isSame: Bool
  /// Whether the file is still what was rendered then, to the byte.
  public var fileIsUntouched: Bool
  /// Of the engine's samples, now.
  public var sha256: String
  public var revision: Int64
  public var earlierRevision: Int64
  /// Of the file, from its beginning; `nil` where the samples are equal.
  public var firstDifferentFrame: Int64?
  /// Hertz of the file.
  public var sampleRate: Int
  /// What has changed since, in words.
  public var changes: [String]
}

extension Session {
  /// Renders a file again by its manifest, and compares.
  /// - Parameters:
  ///   - path: of the file.
  ///   - request: what the manifest's arguments ask for.
  /// - Throws: `Failure`, where it could not be rendered; that it differs is no failure here.
  public func verify(
    _ path: String, _ manifest: RenderManifest, by request: BounceRequest,
    progress: @escaping MediaProgress = { _, _ in true }
  ) throws -> VerificationReport {
    try failing {
      let scratch = try scratchFolder()
      defer { try? FileManager.default.removeItem(atPath: scratch) }
      var request = request
      request.destination = .file(scratch + "/" + manifest.file.name)
      request.engine.usesCache = false
      request.manifestArguments = manifest.arguments
      // A medium that has changed is what is looked for.
      request.allowed.insert(.changed)
      let report = try bounce(request, progress: progress)
      let rendered = report.path ?? scratch + "/" + manifest.file.name
      let now = try RenderManifest.read(beside: rendered)
      let fileIsUntouched = try sha256(ofFile: path).sha256 == manifest.file.sha256
      let hasSameBytes = fileIsUntouched && now.file.sha256 == manifest.file.sha256
      let frame = hasSameBytes ? nil : try firstDifferentFrame(path, rendered)
      let isSame = frame == nil && now.samples.sha256 == manifest.samples.sha256
      let span = now.firstDifference(from: manifest)?.lowerBound
      return VerificationReport(
        path: path, isSame: isSame, fileIsUntouched: fileIsUntouched, sha256: now.samples.sha256,
        revision: now.project.revision, earlierRevision: manifest.project.revision,
        firstDifferentFrame: isSame ? nil : frame ?? span, sampleRate: report.format.sampleRate.hertz,
        changes: isSame ? [] : now.changes(since: manifest))
    }
  }

  /// A folder of our own where there is room for a render.
  private func scratchFolder() throws -> String {
    let folder = cacheFolder + "/.verify-" + UUID().uuidString
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(.cannotCreate, code: "cannotCreate", "The folder '\(folder)' cannot be made. Nothing was compared.")
    }
    return folder
  }

  /// The first frame whose samples are not the same in both files: the length of the shorter one where it is the
  /// beginning of the other; `nil` where all are equal.
  private func firstDifferentFrame(_ path: String, _ other: String) throws -> Int64? {
    let files = try [path, other].map { path in
      let facts = try AudioFileFacts.read(path: path)
      return (facts: facts, reader: try AudioFileReader(path: path, facts: facts))
    }
    let channelCount = files[0].facts.channelCount
    guard channelCount == files[1].facts.channelCount, files[0].facts.sampleRate == files[1].facts.sampleRate else {
      return 0
    }
    let blockFrames = 16_384
    var blocks = [[Float]](repeating: [Float](repeating: 0, count: blockFrames * channelCount), count: 2)
    var done: Int64 = 0
    while true {
      var counts = [0, 0]
      for side in 0..<2 {
        let left = min(Int64(blockFrames), files[side].facts.frames.frames - done)
        if left > 0 { counts[side] = try files[side].reader.read(at: done, count: Int(left), into: &blocks[side]) }
      }
      let common = min(counts[0], counts[1])
      let pair = zip(blocks[0].prefix(common * channelCount), blocks[1])
      if let sample = pair.enumerated().first(where: { $1.0.bitPattern != $1.1.bitPattern })?.offset {
        return done + Int64(sample / channelCount)
      }
      if counts[0] != counts[1] { return done + Int64(common) }
      if common == 0 { return nil }
      done += Int64(common)
    }
  }
}
