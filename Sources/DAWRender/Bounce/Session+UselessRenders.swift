import DAWBounce
import DAWMedia
import DAWModel
import DAWProject

extension Session {
  /// A notice of the kept renders in the project's cache that no bounce reads again; none if there are none.
  /// - Throws: errors of reading the project.
  public func renderFindings() throws -> [CheckFinding] {
    let renders = try uselessRenders()
    guard let first = renders.first else { return [] }
    let isAnyDamaged = renders.contains { $0.reason == .damaged }
    let more = renders.count == 1 ? "" : ", and so are \(renders.count - 1) more"
    return [
      CheckFinding(
        code: isAnyDamaged ? "damaged" : "orphaned",
        message: "The kept render 'Cache/renders/\(first.name)' is of no use, because \(first.reason.text)\(more).",
        hint: "'daw check --repair' removes them; no bounce reads them.", isNotice: true)
    ]
  }

  /// Removes the kept renders that no bounce reads again.
  /// - Returns: what was done, a sentence part for each; nothing where another process uses the cache.
  /// - Throws: errors of reading the project; nothing has been removed then.
  public func removeUselessRenders() throws -> [String] {
    let cache = CacheFolder(folder.place("Cache"))
    guard let use = FolderUse.exclusive(cache.place), let open = try? cache.renders.open() else { return [] }
    defer { use.end() }
    return try uselessRenders().filter { (try? open.remove($0.name)) != nil }.map {
      "removed the kept render '\($0.name)', because \($0.reason.text)"
    }
  }

  private func uselessRenders() throws -> [UselessRender] {
    // Without FluidSynth it is not known what it would render.
    let renderer = try? InstrumentRenderer.description()
    // A project without a row of the master has it with the id 0.
    let trackIDs = try Set(read { try $0.all(Track.self).map(\.id.rawValue) }).union([0])
    return UselessRender.all(
      in: CacheFolder(folder.place("Cache")).renders, renderer: renderer, trackIDs: trackIDs)
  }
}

extension UselessRender.Reason {
  /// Behind "because".
  fileprivate var text: String {
    switch self {
    case .abandoned: "a killed process has left it incomplete"
    case .damaged: "it is damaged"
    case .outdated: "another version has made it"
    case .orphaned: "its track is gone"
    }
  }
}
