import DAWModel
import DAWProject
import DAWTime

/// The option that an argument belongs to which was typed without it.
enum MisplacedArgument {
  /// What an option's value looks like.
  private enum Form {
    case position, distance, number, level, key, meter, grid, percentage, type, any

    func fits(_ word: String) -> Bool {
      switch self {
      case .position: (try? TypedPosition(typed: word)) != nil
      case .distance: (try? TypedShift(typed: word)) != nil
      case .number: wholeNumber(word) != nil
      case .level: (try? Level(typed: word)) != nil
      case .key: (try? Key(typed: word)) != nil
      case .meter: (try? TimeSignature(typed: word)) != nil
      case .grid: (try? Grid.Spacing(typed: word)) != nil
      case .percentage: (try? Percentage(typed: word)) != nil
      case .type: ["audio", "midi", "bus", "master"].contains(word.lowercased())
      case .any: true
      }
    }
  }

  /// For each command the options that people leave out, the most special form first.
  private static let options: [String: [(option: String, form: Form)]] = [
    "new": [("--tempo", .number), ("--time-signature", .meter)],
    "set-project": [("--time-signature", .meter), ("--tempo", .number), ("--name", .any)],
    "add-track": [("--type", .type), ("--volume", .level)],
    "set-track": [("--volume", .level), ("--name", .any)],
    "move-track": [("--to", .number)],
    "list-tracks": [("--type", .type)],
    "list-presets": [("--bank", .number)],
    "add-region": [("--at", .position), ("--file", .any)],
    "set-region": [("--at", .position), ("--gain", .level), ("--name", .any)],
    "split-region": [("--at", .position)],
    "trim-region": [("--from", .position)],
    "copy-region": [("--at", .position), ("--count", .number)],
    "loop-region": [("--until", .position)],
    "move-regions": [("--by", .distance)],
    "copy-regions": [("--at", .position)],
    "normalize-region": [("--to", .any)],
    "copy-track": [("--name", .any)],
    "move-effect": [("--at", .number), ("--to", .any)],
    "set-regions": [("--gain", .level)],
    "list-regions": [("--from", .position), ("--track", .any)],
    "add-note": [("--at", .distance), ("--velocity", .number)],
    "set-notes": [("--region", .any)],
    "remove-notes": [("--region", .any)],
    "list-notes": [("--from", .position), ("--region", .any)],
    "quantize": [("--grid", .grid), ("--region", .any)],
    "transpose": [("--by", .number), ("--region", .any)],
    "scale-velocity": [("--by", .percentage), ("--region", .any)],
    "legato": [("--gap", .distance), ("--region", .any)],
    "humanize": [("--timing", .distance), ("--region", .any)],
    "remove-overlaps": [("--region", .any)],
    "split-notes": [("--at", .position), ("--region", .any)],
    "copy-notes": [("--at", .position), ("--region", .any)],
    "move-notes": [("--at", .position), ("--region", .any)],
    "add-event": [("--at", .distance), ("--value", .number)],
    "list-events": [("--from", .position), ("--region", .any)],
    "add-tempo": [("--at", .position)],
    "set-tempo": [("--bpm", .number), ("--at", .position)],
    "add-meter": [("--at", .position)],
    "set-meter": [("--time-signature", .meter), ("--at", .position)],
    "add-key": [("--at", .position)],
    "set-key": [("--key", .key), ("--at", .position)],
    "add-marker": [("--at", .position)],
    "set-marker": [("--at", .position), ("--name", .any)],
    "insert-time": [("--at", .position), ("--track", .any)],
    "delete-time": [("--from", .position), ("--track", .any)],
    "copy-time": [("--from", .position), ("--track", .any)],
    "set-history": [("--count", .number)],
    "play": [("--from", .position)],
    "panic": [("--to", .any)],
    "midi-test": [("--through", .any)],
    "bounce": [("--from", .position), ("-o", .any)],
    "export": [("--from", .position), ("-o", .any)],
    "use-take": [("--from", .position)],
    "new-take": [("--name", .any)],
    "join-take": [("-o", .any)],
  ]

  /// `-p` where the word is a project.
  static func option(for word: String, in command: String) -> String? {
    let isProject = [word, word + ProjectFolder.ending].contains { ProjectFolder(path: $0).isProject }
    if isProject, command != "copy", command != "new" { return "-p" }
    return options[command]?.first { $0.form.fits(word) }?.option
  }
}
