import DAWErrors
import DAWModel
import DAWStore

extension Session {
  /// A warning that names the first of the heard regions that reach beyond their files: what is not in a file is silent
  /// where the project is played. `nil` if there is none.
  /// - Throws: `Failure` if the project cannot be read.
  public func warningOfRegionsBeyondFiles() throws -> Failure? {
    try read { view in
      let regions = try view.regionsBeyondFiles()
      guard let first = regions.first else { return nil }
      let track = try view.track(first.track)?.name.text ?? "?"
      let more = regions.count - 1
      let others = more == 0 ? "" : " So \(more == 1 ? "does" : "do") \(counted(more, "other"))."
      return Failure(
        .invalid, code: Rule.regionWithinFile.rawValue,
        "The region '\(track)/\(first.name)' reaches beyond its file, where it is silent.\(others)",
        hint: "\(Rule.regionWithinFile.accepted) 'daw check' names all that break rules.")
    }
  }
}
