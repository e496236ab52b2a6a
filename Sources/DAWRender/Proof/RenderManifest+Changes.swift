import DAWBounce
import DAWModel

extension RenderManifest {
  /// Differences that are told one by one: a manifest may hold any number of names.
  private static let maximumChanges = 1_000

  /// The audible differences from `earlier`, as text for the user.
  func changes(since earlier: RenderManifest) -> [String] {
    let all = allChanges(since: earlier)
    let others = all.count - Self.maximumChanges
    return all.prefix(Self.maximumChanges).map(\.shortenedForMessage)
      + (others > 0 ? ["\(others) other differences"] : [])
  }

  private func allChanges(since earlier: RenderManifest) -> [String] {
    var changes: [String] = []
    if project.id != earlier.project.id {
      changes.append("another project: '\(project.name)', not '\(earlier.project.name)'")
    }
    changes += Self.named(earlier.media.map { ($0.path, $0.sha256) }, media.map { ($0.path, $0.sha256) }, "medium")
    changes += Self.tracks(earlier.tracks, tracks)
    changes += Self.values(earlier.settings, settings, "")
    changes += Self.values(earlier.versions, versions, "")
    changes += Self.values(earlier.machine.facts, machine.facts, "")
    return changes
  }

  private static func tracks(_ before: [Part], _ after: [Part]) -> [String] {
    let earlier = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    let later = Dictionary(after.map { ($0.id, $0) }) { first, _ in first }
    return before.filter { later[$0.id] == nil }.map { "track '\($0.name)' is not heard any more" }
      + after.compactMap { part in
        guard let known = earlier[part.id] else { return "track '\(part.name)' was not heard before" }
        return known.sha256 == part.sha256 ? nil : "track '\(part.name)' has changed"
      }
  }

  private static func named(
    _ before: [(name: String, value: String)], _ after: [(name: String, value: String)], _ noun: String
  ) -> [String] {
    let earlier = Dictionary(before.map { ($0.name, $0.value) }) { first, _ in first }
    return after.compactMap { name, value in
      earlier[name].flatMap { $0 == value ? nil : "\(noun) '\(name)' has other bytes" }
    }
  }

  private static func values(_ before: [String: String], _ after: [String: String], _ noun: String) -> [String] {
    Set(before.keys).union(after.keys).sorted().compactMap { name in
      before[name] == after[name] ? nil : "\(noun)\(name): \(before[name] ?? "none") then, \(after[name] ?? "none") now"
    }
  }
}

extension RenderManifest.Samples {
  init(_ digest: SampleDigest, sampleRate: Int) {
    self.init(
      sha256: digest.sha256, frames: digest.frameCount, sampleRate: sampleRate, spanFrames: digest.spanFrames,
      spans: digest.spans)
  }

  var digest: SampleDigest {
    SampleDigest(frameCount: frames, sha256: sha256, spanFrames: spanFrames, spans: spans)
  }
}

extension Machine {
  fileprivate var facts: [String: String] {
    ["architecture": architecture, "processor": processor, "C library": libc]
  }
}
