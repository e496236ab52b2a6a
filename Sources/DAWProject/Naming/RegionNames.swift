import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// In characters: of `TRACK/NAME`, typed in decomposed form, in which a character is up to four.
private let maximumReferenceLength = 4 * (2 * Name.maximumLength + 1)

/// What references to regions are looked up in: a view of the file, or a project that was loaded.
protocol RegionNames {
  func track(_ id: TrackID) throws -> Track?
  /// Ignores case and Unicode form.
  func track(named name: String) throws -> Track?
  /// Ignores case and Unicode form. In order of id.
  func regions(named name: String, on track: TrackID?) throws -> [Region]
  /// Regions with an id that is, or ends in, these digits.
  func regions(withID digits: String) throws -> [Region]
  /// `TRACK/NAME` of every region.
  func regionNames() throws -> [(track: String, name: String)]
  func startFlicks(of region: Region) throws -> FlickPosition
}

extension RegionNames {
  /// The region with `TRACK/NAME`, a name that only one region has, or an id.
  /// - Throws: `Failure` with similar names, or with the candidates.
  func findRegion(calledBy reference: String) throws -> Region {
    // Every slash would be tried as the end of a track's name.
    guard reference.unicodeScalars.count <= maximumReferenceLength else {
      throw referenceNotFound("region", reference, among: [])
    }
    let id = try IDReference(reference, isName: !regions(named: reference, on: nil).isEmpty)
    if let digits = id?.forced { return try one(regions(withID: digits), reference) }
    var found = try regions(named: reference, on: nil)
    for slash in reference.indices where reference[slash] == "/" {
      guard let track = try track(named: String(reference[..<slash])) else { continue }
      found += try regions(named: String(reference[reference.index(after: slash)...]), on: track.id)
    }
    if !found.isEmpty { return try one(found, reference) }
    if let digits = id?.digits {
      let found = try regions(withID: digits)
      if !found.isEmpty { return try one(found, reference) }
    }
    throw try notFound(reference)
  }

  private func one(_ regions: [Region], _ reference: String) throws -> Region {
    let distinct = Dictionary(regions.map { ($0.id, $0) }) { first, _ in first }
    guard let region = distinct.values.first else { throw referenceNotFound("region", reference, among: []) }
    guard distinct.count == 1 else {
      throw ambiguousReference(
        "region", reference,
        try distinct.values.sorted { $0.id < $1.id }.map { region in
          let track = try track(region.track)?.name.text ?? "?"
          return "'\(track)/\(region.name)' at \(try startFlicks(of: region).seconds) s (id \(region.id))"
        })
    }
    return region
  }

  private func notFound(_ reference: String) throws -> Failure {
    let hasTrack = reference.contains("/")
    return referenceNotFound(
      "region", reference, among: try regionNames().map { hasTrack ? "\($0.track)/\($0.name)" : $0.name })
  }
}

extension ProjectView: RegionNames {
  func regionNames() throws -> [(track: String, name: String)] {
    let tracks = Dictionary(try tracks().map { ($0.id, $0.name.text) }) { first, _ in first }
    return try regions().map { (tracks[$0.track] ?? "", $0.name.text) }
  }

  func startFlicks(of region: Region) throws -> FlickPosition { region.startFlicks(in: try tempoMap()) }
}

extension Project: RegionNames {
  /// The region with `TRACK/NAME`, a name that only one region has, or an id.
  /// - Throws: `Failure` with similar names, or with the candidates.
  public func region(calledBy reference: String) throws -> Region { try findRegion(calledBy: reference) }

  func track(_ id: TrackID) -> Track? { tracks[id] }

  func track(named name: String) -> Track? {
    let key = Name.key(of: name)
    return tracks.values.first { $0.name.key == key }
  }

  func regions(named name: String, on track: TrackID?) -> [Region] {
    let key = Name.key(of: name)
    return regions.values.filter { $0.name.key == key && (track == nil || $0.track == track) }
      .sorted { $0.id < $1.id }
  }

  func regions(withID digits: String) -> [Region] {
    if let id = RegionID(uuidString: digits) { return regions[id].map { [$0] } ?? [] }
    let ending = digits.lowercased().filter { $0 != "-" }
    guard !ending.isEmpty else { return [] }
    return regions.values.filter { ShortIDs.digits($0.id).hasSuffix(ending) }.sorted { $0.id < $1.id }
  }

  func regionNames() -> [(track: String, name: String)] {
    regions.values.sorted { $0.id < $1.id }.map { (tracks[$0.track]?.name.text ?? "", $0.name.text) }
  }

  func startFlicks(of region: Region) -> FlickPosition { region.startFlicks(in: tempoMap) }
}

package func ambiguousReference(_ noun: String, _ reference: String, _ candidates: [String]) -> Failure {
  Failure(
    .invalid, code: "ambiguous", "'\(reference)' means more than one \(noun): \(candidates.joined(separator: "; ")).",
    hint: "Give more of the name, or the id. Nothing was changed.")
}

func referenceNotFound(_ noun: String, _ reference: String, among names: [String]) -> Failure {
  let near = nearest(to: reference, among: names)
  let hint =
    near.isEmpty
    ? "'daw list-\(noun)s' shows what is there." : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
  return Failure(
    .noInput, code: "\(noun)NotFound",
    "There is no \(noun) '\(reference)'. Nothing was changed.".shortenedForMessage, hint: hint)
}
