import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

extension Session {
  /// Makes a project again from its JSON, ids included.
  ///
  /// The JSON is read twice, since its keys may come in any order: first without notes and events, which may be
  /// millions, then these alone.
  /// - Parameters:
  ///   - json: what `daw show --json --notes` printed.
  ///   - media: where relative paths of media are looked up.
  ///   - ignoresIDs: gives new ids to everything; recordings and transcripts, which are known by theirs, stay behind.
  /// - Returns: the project, and the media that were not found, in sentences.
  /// - Throws: `Failure`; nothing is left behind.
  public static func create(
    _ folder: ProjectFolder, from json: JSONSource, media: MediaFolder, ignoresIDs: Bool, origin: EditOrigin
  ) throws -> (session: Session, missing: [String]) {
    try failing {
      let document = try ProjectDocument(json, ignoresIDs: ignoresIDs)
      var missing: [String] = []
      let session = try create(
        folder, id: document.id,
        master: document.tracks.first { $0.trackType == .master && $0.id.rawValue != 0 }?.id,
        createdDate: document.createdDate, settings: document.settings, origin: origin
      ) { session in
        let recordings = try session.bringIn(ignoresIDs ? [] : document.recordings ?? [], from: media)
        missing = recordings.missing
        missing += try session.edit(origin) { editor in
          let (contents, missing) = try editor.add(document, media: media, recordings: recordings.folders)
          try json.reading("a project") {
            var reader = try JSONReader(json, ignoresIDs: ignoresIDs)
            try contents.read(&reader, into: editor)
          }
          return missing
        }.value
        if !ignoresIDs {
          try session.store.work.restore((document.transcripts ?? []).map(\.row))
          try session.store.work.keep((document.recordings ?? []).compactMap(\.summary))
        }
      }
      return (session, missing)
    }
  }
}

extension ProjectDocument {
  /// Reads a project's JSON, but leaves notes and events unread.
  /// - Throws: `Failure` that says where the JSON is wrong.
  init(_ json: JSONSource, ignoresIDs: Bool) throws {
    self = try json.reading("a project") {
      var reader = try JSONReader(json, ignoresIDs: ignoresIDs)
      let document = try ProjectDocument(from: &reader)
      try reader.end()
      return document
    }
    guard formatVersion <= Self.currentFormat else {
      throw Failure(
        .invalid, code: "newerFormat",
        "The JSON is of format \(formatVersion); this daw knows up to \(Self.currentFormat). Nothing was made.",
        hint: "Use a newer daw.")
    }
  }
}
