import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

/// Where an event is, and what it holds; `add-event` and `set-event` share them.
struct EventOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where it is, from its region's start: 0.5s, 2b, 1.0.0.", valueName: "distance"),
    transform: TypedRegionPlace.init(typed:))
  var at: TypedRegionPlace?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its MIDI channel, 1 to 16.", valueName: "n"),
    transform: Channel.init(typed:))
  var channel: Channel?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("A controller's number, 0 to 127: 64 is the pedal.", valueName: "n"),
    transform: Int.init(typed:))
  var controller: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What a controller, a bend or a pressure is set to: 0 to 127, a bend -8192 to 8191.", valueName: "n"),
    transform: Int.init(typed:))
  var value: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("A program, 0 to 127.", valueName: "n"), transform: Int.init(typed:))
  var program: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The program's bank, 0 to 16383: CC 0 × 128 + CC 32.", valueName: "n"),
    transform: Int.init(typed:))
  var bank: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The key of a pressure: 0 to 127, or a name such as C4.", valueName: "pitch"),
    transform: Pitch.init(typed:))
  var key: Pitch?

  @Option(
    help: ArgumentHelp("A system exclusive message, in hexadecimal digits: 'F0 7E 7F 09 01 F7'.", valueName: "bytes"))
  var sysex: String?

  @Option(help: ArgumentHelp("A text.", valueName: "text"))
  var text: String?

  var isEmpty: Bool {
    at == nil && channel == nil && controller == nil && value == nil && program == nil && bank == nil && key == nil
      && sysex == nil && text == nil
  }

  /// - Throws: `Failure` for bytes that are no message.
  func messageChange() throws -> MessageChange {
    var change = MessageChange()
    change.controller = controller
    change.pitch = key?.number
    change.value = value
    change.program = program
    change.bank = bank
    change.sysex = try sysexBytes()
    change.text = text.map { Array($0.utf8) }
    return change
  }

  func validate() throws {
    if let sysex, (try? byteValues(sysex)) == nil {
      throw ValidationError("'\(sysex)' is no bytes in hexadecimal digits. Give two for each: F0 7E 7F 09 01 F7.")
    }
  }

  /// The bytes of a whole system exclusive message.
  /// - Throws: `Failure` when it is not one.
  func sysexBytes() throws -> [UInt8]? {
    guard let sysex else { return nil }
    let bytes = try byteValues(sysex)
    guard bytes.count > 2, bytes.first == 0xf0, bytes.last == 0xf7,
      bytes.dropFirst().dropLast().allSatisfy({ $0 < 0x80 })
    else {
      throw Failure(
        .invalid, code: Rule.eventBytes.rawValue,
        "A system exclusive message begins with F0 and ends with F7, and all between is below 80. Nothing was changed.",
        hint: "Give the whole message, such as 'F0 7E 7F 09 01 F7'.")
    }
    return bytes
  }
}
