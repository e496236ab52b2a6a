import DAWModel
import DAWTime

extension SoundFont: JSONRecord {
  package static let members = JSONMembers<SoundFont>(locationMembers + [JSONMember(id: \.id)])
}

extension AudioFile: JSONRecord {
  package static let members = JSONMembers<AudioFile>(
    locationMembers + [
      JSONMember(id: \.id),
      JSONMember(derived: "duration") { $0.duration.seconds },
      JSONMember(derived: "durationFlicks") { $0.duration.flicks },
      JSONMember("frames", \.frames, isRequired: true),
      JSONMember("sampleRate", \.sampleRate, isRequired: true),
      JSONMember("channelCount", \.channelCount, isRequired: true),
      JSONMember("format", \.format),
    ])
}

extension Medium {
  /// Where the file is, and how its bytes are recognized.
  fileprivate static var locationMembers: [JSONMember<Self>] {
    [
      JSONMember("path", \.location.path, isRequired: true),
      JSONMember(ifPresent: "relativePath", \.location.relativePath),
      JSONMember("sha256", \.location.sha256, isRequired: true),
      JSONMember("byteCount", \.location.byteCount),
      JSONMember("modificationTime", \.location.modificationTime),
    ]
  }
}
