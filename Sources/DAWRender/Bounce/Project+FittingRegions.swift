import DAWErrors
import DAWModel

extension Project {
  /// Checks that the regions that are heard fit their tracks and files. Only another program can write what does not,
  /// and the engine would leave out what is not there.
  /// - Parameter tracks: those that are heard.
  /// - Throws: `Failure` that names the first region.
  func requireFittingRegions(on tracks: Set<TrackID>) throws {
    var broken: [(region: Region, violation: RuleViolation)] = []
    for region in regions.values where region.isHeard && tracks.contains(region.track) {
      guard let track = self.tracks[region.track] else { continue }
      do throws(RuleViolation) {
        try region.validate(on: track, over: region.audio.flatMap { audioFiles[$0.file] })
      } catch {
        broken.append((region, error))
      }
    }
    guard let first = broken.min(by: { $0.region.id < $1.region.id }) else { return }
    let number = broken.count > 1 ? " \(broken.count) regions do." : ""
    throw Failure(
      .invalid, code: first.violation.code,
      "The region '\(name(of: first.region))' breaks a rule: \(first.violation.value).\(number) Nothing was written.",
      hint: "\(first.violation.accepted) 'daw check' names all that break rules.")
  }

  /// `TRACK/NAME`.
  func name(of region: Region) -> String { "\(tracks[region.track]?.name.text ?? "?")/\(region.name)" }
}
