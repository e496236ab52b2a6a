import DAWModel

/// A take as JSON, within its track.
@dynamicMemberLookup
public struct TakeDocument {
  public var row: Take
  /// Its id in the JSON, by which the track's regions refer to it.
  var writtenID = ""

  public subscript<Value>(dynamicMember path: KeyPath<Take, Value>) -> Value { row[keyPath: path] }
}

extension TakeDocument: JSONRecord {
  package static var blank: TakeDocument { TakeDocument(row: Take(blank: TakeID(rawValue: 0))) }

  package static let members: JSONMembers<TakeDocument> = [
    JSONMember("id") {
      $0.row.id.rawValue == 0 ? nil : $0.row.id
    } read: { take, reader in
      if reader.ignoresIDs {
        take.writtenID = try reader.string()
      } else {
        take.row.id = try TakeID(from: &reader)
        take.writtenID = take.row.id.uuidString
      }
    },
    JSONMember("name", \.row.name, isRequired: true),
    JSONMember("rating", \.row.rating),
    JSONMember("tags", \.row.tags),
    JSONMember("pass", \.row.pass),
  ]
}

extension Tags: JSONValue {
  package func write(to writer: inout JSONWriter) throws { try writer.array(words.sorted()) }

  package init(from reader: inout JSONReader) throws { self.init(Set(try [String](from: &reader))) }
}

/// What the user says about a recording, as JSON.
@dynamicMemberLookup
public struct RecordingNoteDocument {
  public var row: RecordingNote

  public subscript<Value>(dynamicMember path: KeyPath<RecordingNote, Value>) -> Value { row[keyPath: path] }
}

extension RecordingNoteDocument: JSONRecord {
  package static var blank: RecordingNoteDocument {
    RecordingNoteDocument(row: RecordingNote(id: RecordingNoteID(rawValue: 0)))
  }

  package static let members: JSONMembers<RecordingNoteDocument> = [
    JSONMember(id: \.row.id), JSONMember("title", \.row.title), JSONMember("notes", \.row.notes),
  ]
}

/// What the user says was spoken, as JSON.
@dynamicMemberLookup
public struct TranscriptTextDocument {
  public var row: TranscriptText

  public subscript<Value>(dynamicMember path: KeyPath<TranscriptText, Value>) -> Value { row[keyPath: path] }
}

extension TranscriptTextDocument: JSONRecord {
  package static var blank: TranscriptTextDocument {
    TranscriptTextDocument(row: TranscriptText(id: TranscriptTextID(rawValue: 0)))
  }

  package static let members: JSONMembers<TranscriptTextDocument> = [
    JSONMember(id: \.row.id), JSONMember("text", \.row.text, isRequired: true),
  ]
}
