import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import Foundation

struct ListTakes: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-takes",
    abstract: "List the takes of the tracks.",
    discussion: """
      Tags in brackets are those that daw found: clipped, silent, gaps.

        daw list-takes --track Vox
        daw list-takes --since 30d --tag good
        daw list-takes --json
      """)

  @Option(help: ArgumentHelp("Only those of this track.", valueName: "track"))
  var track: String?

  @Option(help: SinceHelp.help, transform: PastTime.init(typed:))
  var since: PastTime?

  @Option(
    help: ArgumentHelp("Only those with this tag, given by a person or found by daw.", valueName: "tag"),
    transform: Tags.word(typed:))
  var tag: String?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let entries = try session.read { view in
      try view.takeEntries(
        track: try track.map(view.track(calledBy:)), since: since?.timestamp(now: Date()), tag: tag)
    }
    var table = TextTable(.text, .text, .plain, .text, .id)
    for entry in entries {
      table.add([
        "\(entry.name)", "\(Wording.date(entry.date.iso8601))", "\(entry.use)", "\(entry.remarks)",
        TextTable.Cell(entry.shortID, .dim),
      ])
    }
    return CommandResult(
      lines: entries.isEmpty ? ["No such takes."] : table.lines(), made: entries.map(\.take.id.uuidString),
      json: entries.map(\.json))
  }
}

struct SetTake: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-take",
    abstract: "Name, rate or tag a take.",
    discussion: """
        daw set-take 'Vox/Take 2' --rating 4 --tag good --tag loud
        daw set-take 1a2b3c --name 'The one' --remove-tag loud
      """)

  @Argument(help: "The take: TRACK/NAME, a name that only one take has, or an id.")
  var take: String

  @Option(help: "What it shall be called.")
  var name: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("From 1 to 5, or 0 for none.", valueName: "n"),
    transform: Int.init(typed:))
  var rating: Int?

  @Option(
    help: ArgumentHelp("A word to mark it with; may be repeated.", valueName: "tag"), transform: Tags.word(typed:))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp("A word to take away; may be repeated.", valueName: "tag"), transform: Tags.word(typed:))
  var removeTag: [String] = []

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    var change = TakeChange()
    (change.name, change.rating) = (name, rating)
    (change.addedTags, change.removedTags) = (Set(tag), Set(removeTag))
    let take = try context.editor.setTake(take, change)
    let entry = try context.editor.view.entry(of: take)
    let absent = Set(removeTag).subtracting(tag).intersection(entry.pass?.foundTags.words ?? []).sorted()
    let remarks = entry.remarks
    return EditOutcome(
      summary: "Take '\(entry.name)'\(remarks.isEmpty ? "" : ": \(remarks)").",
      warnings: absent.map { "The tag '\($0)' is what daw found; it stays." }, json: JSONObject(["take": entry.json]))
  }

  func validate() throws {
    if name == nil, rating == nil, tag.isEmpty, removeTag.isEmpty {
      throw ValidationError("Say what to change: --name, --rating, --tag or --remove-tag.")
    }
    if let word = tag.first(where: removeTag.contains) {
      throw ValidationError("The tag '\(word)' is to be added and removed.")
    }
  }
}

struct RemoveTake: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-take",
    abstract: "Remove takes with their regions.",
    discussion: """
      What was recorded stays in the project, so that undo brings all of it back; 'daw clean' removes what nothing uses.

        daw remove-take 'Vox/Take 1'
        daw remove-take $(daw list-takes --track Vox --tag silent -q)
      """)

  @Argument(help: "The takes: TRACK/NAME, a name that only one take has, or an id.")
  var takes: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let (removed, regions) = try context.editor.removeTakes(takes)
    let what = removed.count == 1 ? "take '\(removed[0].name)'" : counted(removed.count, "take")
    return EditOutcome(
      summary: "Removed \(what)\(regions == 0 ? "" : " with \(counted(regions, "region"))").",
      json: JSONObject(["removed": removed.map(\.id.uuidString), "regionCount": regions]))
  }
}

extension Tags {
  /// One word; capitals are made small.
  static func word(typed text: String) throws -> String {
    let word = text.lowercased()
    guard (1...64).contains(word.utf8.count),
      word.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_".unicodeScalars.contains($0))
      })
    else { throw Unreadable(text, "a tag has 1 … 64 letters a-z, digits, - and _.") }
    return word
  }
}

extension TakeEntry {
  /// "Vox/Take 2"
  var name: String { "\(track.name)/\(take.name)" }

  /// "in use", "not in use", "in use in part"; "no regions".
  fileprivate var use: String {
    if regionCount == 0 { return "no regions" }
    return usedCount == 0 ? "not in use" : usedCount == regionCount ? "in use" : "in use in part"
  }

  /// "4/5, good, loud, [clipped]"
  fileprivate var remarks: String {
    var words = take.rating == 0 ? [] : ["\(take.rating)/5"]
    words += take.tags.words.sorted()
    if let found = pass?.foundTags.words.sorted(), !found.isEmpty {
      words.append("[\(found.joined(separator: ", "))]")
    }
    return words.joined(separator: ", ")
  }

  var json: JSONObject {
    JSONObject([
      "id": take.id.uuidString, "name": take.name.text, "track": track.name.text, "trackID": track.id.uuidString,
      "rating": take.rating, "tags": take.tags.words.sorted(), "pass": take.pass?.uuidString,
      "foundTags": pass?.foundTags.words.sorted(), "recordingID": pass?.recording.uuidString,
      "date": date.iso8601, "frames": pass?.frames.frames, "regionCount": regionCount, "usedRegionCount": usedCount,
    ])
  }
}
