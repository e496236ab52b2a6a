import DAWModel
import DAWStore
import DAWTime
import Foundation

/// A project as JSON: what `daw show --json` prints and `daw new --from` reads. Its keys are never renamed.
///
/// Times are given twice: in seconds for people, and as exact integers, which take precedence when both are read.
public struct ProjectDocument: Codable, Equatable, Sendable {
  public static let currentFormat = 1

  public var formatVersion: Int
  public var revision: Int64
  public var id: ProjectID
  public var name: String
  /// ISO 8601 with a zone.
  public var createdDate: String
  public var modifiedDate: String
  /// Quarter notes per minute.
  public var tempo: Double
  public var timeSignature: String
  public var sampleRate: Int
  public var panLaw: PanLaw
  public var tempoMap: TempoMapDocument
  /// In order of place, as the markers are.
  public var keySignatures: [KeySignatureDocument]
  public var markers: [MarkerDocument]
  public var audioFiles: [AudioFileDocument]
  public var soundFonts: [SoundFontDocument]
  /// In their order, the master last.
  public var tracks: [TrackDocument]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case formatVersion, revision, id, name, createdDate, modifiedDate, tempo, timeSignature, sampleRate, panLaw
    case tempoMap, keySignatures, markers, audioFiles, soundFonts, tracks
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    formatVersion = try container.decodeIfPresent(Int.self, forKey: .formatVersion) ?? Self.currentFormat
    revision = try container.decodeIfPresent(Int64.self, forKey: .revision) ?? 0
    id = try container.decodeID(ProjectID.self, forKey: .id, decoder) ?? .random()
    name = try container.decodeIfPresent(String.self, forKey: .name) ?? "Untitled Project"
    createdDate = try container.decodeIfPresent(String.self, forKey: .createdDate) ?? ""
    modifiedDate = try container.decodeIfPresent(String.self, forKey: .modifiedDate) ?? ""
    tempo = try container.decodeIfPresent(Double.self, forKey: .tempo) ?? 120
    timeSignature = try container.decodeIfPresent(String.self, forKey: .timeSignature) ?? "4/4"
    sampleRate = try container.decodeIfPresent(Int.self, forKey: .sampleRate) ?? 48_000
    panLaw = try container.decodeIfPresent(PanLaw.self, forKey: .panLaw) ?? .constantPowerMinus3dB
    tempoMap = try container.decodeIfPresent(TempoMapDocument.self, forKey: .tempoMap) ?? TempoMapDocument()
    keySignatures = try container.decodeIfPresent([KeySignatureDocument].self, forKey: .keySignatures) ?? []
    markers = try container.decodeIfPresent([MarkerDocument].self, forKey: .markers) ?? []
    audioFiles = try container.decodeIfPresent([AudioFileDocument].self, forKey: .audioFiles) ?? []
    soundFonts = try container.decodeIfPresent([SoundFontDocument].self, forKey: .soundFonts) ?? []
    tracks = try container.decodeIfPresent([TrackDocument].self, forKey: .tracks) ?? []
  }
}

/// A place of a medium and how it is known again, as `MediaLocation` has it.
public struct SoundFontDocument: Codable, Equatable, Sendable {
  public var id: SoundFontID?
  public var path: String
  public var relativePath: String?
  public var sha256: String
  public var byteCount: Int64
  public var modificationTime: Int64
}

public struct AudioFileDocument: Codable, Equatable, Sendable {
  public var id: AudioFileID?
  public var path: String
  public var relativePath: String?
  public var sha256: String
  public var byteCount: Int64
  public var modificationTime: Int64
  /// Seconds.
  public var duration: Double
  public var durationFlicks: Int64
  public var frames: Int64
  public var sampleRate: Int
  public var channelCount: Int
  public var format: String
}

extension SoundFontDocument {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, path, relativePath, sha256, byteCount, modificationTime
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    id = try container.decodeID(SoundFontID.self, forKey: .id, decoder)
    path = try container.decode(String.self, forKey: .path)
    relativePath = try container.decodeIfPresent(String.self, forKey: .relativePath)
    sha256 = try container.decode(String.self, forKey: .sha256)
    byteCount = try container.decodeIfPresent(Int64.self, forKey: .byteCount) ?? 0
    modificationTime = try container.decodeIfPresent(Int64.self, forKey: .modificationTime) ?? 0
  }
}

extension AudioFileDocument {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, path, relativePath, sha256, byteCount, modificationTime, duration, durationFlicks, frames, sampleRate
    case channelCount, format
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    id = try container.decodeID(AudioFileID.self, forKey: .id, decoder)
    path = try container.decode(String.self, forKey: .path)
    relativePath = try container.decodeIfPresent(String.self, forKey: .relativePath)
    sha256 = try container.decode(String.self, forKey: .sha256)
    byteCount = try container.decodeIfPresent(Int64.self, forKey: .byteCount) ?? 0
    modificationTime = try container.decodeIfPresent(Int64.self, forKey: .modificationTime) ?? 0
    duration = try container.decodeIfPresent(Double.self, forKey: .duration) ?? 0
    durationFlicks = try container.decodeIfPresent(Int64.self, forKey: .durationFlicks) ?? 0
    frames = try container.decode(Int64.self, forKey: .frames)
    sampleRate = try container.decode(Int.self, forKey: .sampleRate)
    channelCount = try container.decode(Int.self, forKey: .channelCount)
    format = try container.decodeIfPresent(String.self, forKey: .format) ?? ""
  }
}
