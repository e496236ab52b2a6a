import DAWModel

extension Retention: JSONRecord {
  package static var blank: Retention { Retention() }

  /// Ages are numbers of days.
  package static let members: JSONMembers<Retention> = [
    JSONMember("recordings", \.recordings),
    JSONMember("transcripts", \.transcripts),
    JSONMember("newest", \.newest),
    JSONMember("thread", \.thread),
    JSONMember("compressAfter", \.compressAfter),
    JSONMember("quality", \.quality),
    JSONMember("trash", \.trash),
    JSONMember("scope", \.scope),
  ]
}
