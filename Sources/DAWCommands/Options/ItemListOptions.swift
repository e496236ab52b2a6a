import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import Foundation

/// Where a list of notes or events is read from, and where they go.
struct ItemListOptions: ParsableArguments {
  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Argument(help: "The file to read, or - for standard input.", completion: .file())
  var file = "-"

  /// A list as it was found.
  struct Input {
    var region: Region
    var bytes: Data
    /// What messages call the file.
    var name: String
    /// Reads the positions in it.
    var clock: NoteClock

    /// - Parameter noun: of one item.
    func outcome(_ noun: String, _ ids: [String], in context: EditContext) throws -> EditOutcome {
      EditOutcome(
        summary: "Added \(counted(ids.count, noun)) to region '\(region.name)'.", made: ids,
        json: JSONObject(["region": try context.editor.view.entry(of: region), noun + "s": ids]))
    }
  }

  /// - Throws: `Failure`.
  func read(in context: EditContext) throws -> Input {
    let view = context.editor.view
    let region = try view.region(calledBy: region)
    let (bytes, name) = try context.contents(of: file)
    return Input(region: region, bytes: bytes, name: name, clock: try NoteClock(region, context.timeline()))
  }
}
