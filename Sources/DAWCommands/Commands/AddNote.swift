import ArgumentParser
import DAWInterchange
import DAWProject
import DAWTime

struct AddNote: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-note",
    abstract: "Add a note to a MIDI region.",
    discussion: """
      Positions are distances from the region's start.

        daw add-note Keys/Verse C4
        daw add-note Keys/Verse F#3 --at 1.2.0 --length 0.1.0 --velocity 100
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Argument(help: "0 to 127, or a name such as C4 (60, middle C), F#3, Bb-1.", transform: Pitch.init(typed:))
  var pitch: Pitch

  @OptionGroup var settings: NoteOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let region = try view.region(calledBy: region)
    let clock = NoteClock(region, try Timeline(view))
    let start = try settings.at.map(clock.start) ?? .zero
    let draft = NoteDraft(
      pitch: pitch.number, velocity: settings.velocity ?? 80, start: start,
      duration: try clock.duration(settings.length ?? .quarter, from: start),
      channel: settings.channel?.index ?? 0, releaseVelocity: settings.releaseVelocity)
    let entries = try view.entries(of: try context.editor.addNotes(to: region, [draft]))
    let ids = entries.map(\.note.id.uuidString)
    return EditOutcome(
      summary: "Added note \(Pitch.name(of: pitch.number)) to region '\(region.name)' (id \(ids.joined())).",
      made: ids, json: JSONObject(["note": entries.first]))
  }
}

extension AddNote: PlainlyTyped {
  static let plainArguments: [PlainAssignment<Self>] = [
    { $0.region = $1 }, { $0.pitch = try Pitch(typed: $1) },
  ]

  static let plainOptions: [String: PlainAssignment<Self>] = [
    "--at": { $0.settings.at = try TypedDistance(typed: $1) },
    "--length": { $0.settings.length = try TypedDistance(typed: $1) },
    "--velocity": { $0.settings.velocity = try Int(typed: $1) },
    "--channel": { $0.settings.channel = try Channel(typed: $1) },
    "--release-velocity": { $0.settings.releaseVelocity = try Int(typed: $1) },
  ]
}
