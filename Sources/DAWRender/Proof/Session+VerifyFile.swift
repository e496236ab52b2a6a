import DAWBounce
import DAWErrors
import DAWMedia
import DAWProject
import Foundation

extension Session {
  /// Renders a file, or a folder of stems, again by its manifest, and compares. Nothing that is kept is trusted: every
  /// medium is hashed, converted anew, and every instrument rendered.
  /// - Parameters:
  ///   - path: of the file or folder.
  ///   - request: what the manifest's arguments ask for.
  /// - Throws: `Failure`, where it could not be rendered; that it differs is no failure here.
  public func verify(
    _ path: String, _ manifest: RenderManifest, by request: BounceRequest,
    progress: @escaping MediaProgress = { _, _ in true }
  ) throws -> VerificationReport {
    try failingWithoutFile {
      let use = FolderUse(sharing: cacheFolder)
      defer { use.end() }
      let scratch = try scratchFolder()
      defer { scratch.removeAll() }
      var request = request
      request.destination = .within(scratch.appending(manifest.file.name))
      request.overwrites = false
      request.engine.usesCache = false
      // Another name than what is rendered has.
      request.convertsInto = scratch.appending(manifest.file.name == "copies" ? "media" : "copies")
      request.manifestArguments = manifest.arguments
      // By its spans and not by a number that anyone can write: the manifest's own size bounds what it may ask for.
      request.earlierSeconds = manifest.samples.spans.count
      // A medium that has changed is what is looked for.
      request.allowed.insert(.changed)
      let report: BounceReport
      do {
        report = try bounce(request, progress: progress)
      } catch let failure as Failure where failure.kind == .interrupted {
        // Nothing of it stays, also where it is complete.
        throw MediaWorkError.cancelled
      }
      let rendered = report.path ?? scratch.appending(manifest.file.name).path
      let now = try RenderManifest.read(beside: rendered)
      let isM4A = report.format.container == .m4a
      let files = try filePairs(path, manifest, rendered, now).map {
        try compare($0, isM4A: isM4A) { _, _ in progress(1, 1) }
      }
      let isSame = files.allSatisfy(\.isSame)
      return VerificationReport(
        path: path, isSame: isSame, fileIsUntouched: files.allSatisfy(\.fileIsUntouched),
        sha256: now.samples.sha256, revision: now.project.revision, earlierRevision: manifest.project.revision,
        firstDifferentFrame: files.compactMap(\.firstDifferentFrame).min(), sampleRate: report.format.sampleRate.hertz,
        changes: isSame ? [] : now.changes(since: manifest), stems: manifest.stems == nil ? [] : files)
    }
  }

  /// A file as it was rendered then, and again; `nil` where it was not rendered.
  private struct FilePair {
    var name: String
    var path: String
    var then: (file: RenderManifest.File, samples: RenderManifest.Samples)?
    var rendered: String
    var now: (file: RenderManifest.File, samples: RenderManifest.Samples)?
  }

  private func filePairs(
    _ path: String, _ then: RenderManifest, _ rendered: String, _ now: RenderManifest
  ) -> [FilePair] {
    guard then.stems != nil || now.stems != nil else {
      return [
        FilePair(
          name: then.file.name, path: path, then: (then.file, then.samples), rendered: rendered,
          now: (now.file, now.samples))
      ]
    }
    // The earlier manifest may name any number of stems, and one any number of times.
    let (before, after) = (then.stems ?? [], now.stems ?? [])
    func byName(_ stems: [RenderManifest.Stem]) -> [String: RenderManifest.Stem] {
      Dictionary(stems.map { ($0.file.name, $0) }) { first, _ in first }
    }
    let (earlier, later) = (byName(before), byName(after))
    var known: Set<String> = []
    let names = (before + after).map(\.file.name).filter { known.insert($0).inserted }
    return names.map { name in
      FilePair(
        name: name, path: path + "/" + name, then: earlier[name].map { ($0.file, $0.samples) },
        rendered: rendered + "/" + name, now: later[name].map { ($0.file, $0.samples) })
    }
  }

  private func compare(_ pair: FilePair, isM4A: Bool, progress: MediaProgress) throws -> FileVerification {
    let isThere = access(pair.path, F_OK) == 0
    guard let then = pair.then, let now = pair.now, isThere else {
      let wasRendered = pair.then != nil
      return FileVerification(
        name: pair.name, isSame: false, fileIsUntouched: isThere == wasRendered, isMissing: wasRendered && !isThere)
    }
    let fileIsUntouched = try sha256(ofFile: pair.path, progress: progress).sha256 == then.file.sha256
    let hasSameBytes = fileIsUntouched && now.file.sha256 == then.file.sha256
    // M4A is not decoded here: other bytes count as other sound from the start.
    let frame = hasSameBytes ? nil : isM4A ? 0 : try firstDifferentFrame(pair.path, pair.rendered, progress)
    let isSame = frame == nil && now.samples.sha256 == then.samples.sha256
    let span = now.samples.digest.firstDifference(from: then.samples.digest)?.lowerBound
    return FileVerification(
      name: pair.name, isSame: isSame, fileIsUntouched: fileIsUntouched,
      firstDifferentFrame: isSame ? nil : frame ?? span)
  }

  /// A folder of our own where there is room for a render.
  private func scratchFolder() throws -> Place {
    let scratch = newScratchPlace()
    guard (try? scratch.make()) != nil else {
      throw Failure(
        .cannotCreate, code: "cannotCreate", "The folder '\(scratch.path)' cannot be made. Nothing was compared.")
    }
    return scratch
  }
}
