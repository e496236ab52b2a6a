import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

extension Session {
  /// Makes a project again from its JSON, ids included.
  /// - Parameters:
  ///   - json: what `daw show --json --notes` printed.
  ///   - media: where relative paths of media are looked up.
  ///   - ignoresIDs: gives new ids to everything.
  /// - Returns: the project, and the media that were not found, in sentences.
  /// - Throws: `Failure`; nothing is left behind.
  public static func create(
    _ folder: ProjectFolder, from json: Data, media: MediaFolder, ignoresIDs: Bool, origin: EditOrigin
  ) throws -> (session: Session, missing: [String]) {
    try failing {
      let document = try ProjectDocument.reading(json, ignoresIDs: ignoresIDs)
      var missing: [String] = []
      let session = try create(
        folder, id: document.id, master: document.tracks.first { $0.trackType == .master }?.id,
        createdDate: Timestamp(iso8601: document.createdDate), settings: try document.settings(), origin: origin
      ) { session in
        let result = try session.edit(origin) { editor in
          try editor.add(document, media: media)
        }
        missing = result.value
      }
      return (session, missing)
    }
  }
}

extension ProjectDocument {
  /// - Throws: `Failure` that says where the JSON is wrong.
  static func reading(_ json: Data, ignoresIDs: Bool) throws -> ProjectDocument {
    let decoder = JSONDecoder()
    if let key = CodingUserInfoKey.ignoresIDs { decoder.userInfo[key] = ignoresIDs }
    do {
      let document = try decoder.decode(ProjectDocument.self, from: json)
      guard document.formatVersion <= currentFormat else {
        throw Failure(
          .invalid, code: "newerFormat",
          "The JSON is of format \(document.formatVersion); this daw knows up to \(currentFormat).")
      }
      try document.requireNothingLost()
      return document
    } catch let error as DecodingError {
      throw Failure(.invalid, code: "invalidJSON", "The JSON is not that of a project: \(error.place)")
    }
  }

  /// Refuses data that the project would lose.
  private func requireNothingLost() throws {
    func require(_ isSo: Bool, _ message: String) throws {
      if !isSo { throw Failure(.invalid, code: "invalidJSON", "The JSON is not that of a project: \(message)") }
    }
    try require(
      createdDate.isEmpty || Timestamp(iso8601: createdDate) != nil,
      "at createdDate: '\(createdDate)' is no date of ISO 8601.")
    try require(tracks.count { $0.trackType == .master } <= 1, "at tracks: there is more than one master.")
    try require(
      try tempoMap.tempos.first.map { try $0.startTicks == 0 && Tempo(beatsPerMinute: $0.bpm) == settings().tempo }
        ?? true
        && tempoMap.meters.first.map {
          try $0.bar == 1 && TimeSignature(inProject: $0.timeSignature) == settings().timeSignature
        }
          ?? true,
      "at tempoMap: it does not say the same as 'tempo' and 'timeSignature'. Leave it out to go by those.")
  }

  func settings() throws -> ProjectSettings {
    ProjectSettings(
      name: try Name(name), tempo: try Tempo(beatsPerMinute: tempo),
      isTempoRamp: tempoMap.tempos.first?.isRamp ?? false,
      timeSignature: try TimeSignature(inProject: timeSignature), sampleRate: SampleRate(hertz: sampleRate),
      panLaw: panLaw)
  }
}

extension Tempo {
  /// - Throws: `RuleViolation` of a tempo that is far beyond the range.
  init(beatsPerMinute bpm: Double) throws {
    guard let tempo = Tempo(nearestTo: bpm) else { throw RuleViolation(.tempo, value: "a tempo of \(bpm) BPM") }
    self = tempo
  }
}

extension TimeSignature {
  /// From "7/8".
  /// - Throws: `RuleViolation` if it is not a fraction.
  init(inProject fraction: String) throws {
    guard let signature = TimeSignature(fraction: fraction) else {
      throw RuleViolation(.timeSignature, value: "a time signature of '\(fraction)'", subject: "the project")
    }
    self = signature
  }
}

extension DecodingError {
  /// Where, and what.
  var place: String {
    let (context, missing): (Context, String?) =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): (context, nil)
      case .keyNotFound(let key, let context): (context, key.stringValue)
      @unknown default: (Context(codingPath: [], debugDescription: "\(self)"), nil)
      }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    let what = missing.map { "the key '\($0)' is missing." } ?? context.debugDescription
    return path.isEmpty ? what : "at \(path.drop { $0 == "." }): \(what)"
  }
}
