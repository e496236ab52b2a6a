import ArgumentParser
import DAWErrors
import DAWModel
import DAWProject

/// What to suggest for a command that does not exist.
enum CommandNames {
  /// Other words for what the first word of a command does.
  private static let verbs: [String: String] = [
    "create": "add", "make": "add", "insert": "add", "delete": "remove", "del": "remove", "rm": "remove",
    "erase": "remove", "change": "set", "edit": "set", "modify": "set", "update": "set", "duplicate": "copy",
    "clone": "copy", "ls": "list", "cut": "split", "resize": "trim", "trim": "trim",
  ]

  /// What people type for what is called otherwise here; each as it would be typed.
  private static let others: [String: String] = [
    "rename-track": "set-track TRACK --name NAME", "rename-region": "set-region REGION --name NAME",
    "rename-marker": "set-marker MARKER --name NAME", "rename-project": "set-project --name NAME",
    "reverse": "reverse-region", "normalize": "normalize-region", "normalise-region": "normalize-region",
    "glue": "join-regions", "merge-regions": "join-regions", "join-region": "join-regions", "join": "join-regions",
    "loop": "loop-region REGION --until POSITION", "repeat-region": "copy-region REGION --count N",
    "duplicate": "copy-track TRACK", "rename": "set-track TRACK --name NAME", "mute-track": "set-track TRACK --mute",
    "mute": "set-track TRACK --mute",
    "unmute": "set-track TRACK --no-mute", "solo-track": "set-track TRACK --solo", "solo": "set-track TRACK --solo",
    "mute-region": "set-region REGION --mute", "move-region": "set-region REGION --at POSITION",
    "volume": "set-track TRACK --volume LEVEL", "pan": "set-track TRACK --pan POSITION",
    "move-marker": "set-marker MARKER --at POSITION", "move-note": "move-notes", "copy-note": "copy-notes",
    "split-note": "split-notes", "tempo": "set-project --tempo BPM", "set-name": "set-project --name NAME",
    "render": "bounce", "mix": "bounce", "mixdown": "bounce", "export-audio": "bounce", "wav": "bounce",
    "start": "play", "stop": "transport stop", "locate": "transport locate POSITION", "pause": "transport stop",
    "status": "transport status", "import-midi": "import FILE", "import-audio": "import FILE", "load": "import FILE",
    "export-midi": "export -o FILE", "init": "new PATH", "create": "new PATH", "new-project": "new PATH",
    "info": "show", "open": "show", "tree": "show", "print": "show", "cat": "show", "list": "show", "ls": "list-tracks",
    "tracks": "list-tracks", "regions": "list-regions", "notes": "list-notes", "markers": "list-markers",
    "effects": "list-effects", "list-effect-kinds": "list-effect-types", "set-bypass": "set-effect EFFECT --bypass",
    "bypass": "set-effect EFFECT --bypass", "bypass-effect": "set-effect EFFECT --bypass",
    "remove-effect-preset": "remove-preset", "save-effect-preset": "save-preset",
    "presets": "list-presets", "soundfonts": "list-soundfonts", "projects": "list-projects", "log": "history",
    "script": "batch", "run": "batch", "dump": "show --json --notes", "validate": "check", "fsck": "check",
    "repair": "check --repair", "migrate": "upgrade", "completions": "completion bash", "man": "help",
  ]

  /// Commands that take something away.
  private static func isDestructive(_ name: String) -> Bool {
    ["remove", "clean", "undo"].contains(String(name.prefix { $0 != "-" }))
  }

  static func unknown(_ typed: String) -> Failure {
    let near = suggestions(for: typed).map { "'\($0)'" }
    let question = near.isEmpty ? "" : "Did you mean \(near.joined(separator: " or "))? "
    return Failure(
      .usage, code: "unknownCommand", "There is no command '\(typed)'.".shortenedForMessage,
      hint: question + "'daw help' lists all commands."
    )
  }

  static func suggestions(for typed: String) -> [String] {
    let word = typed.lowercased().replacing("_", with: "-")
    if let other = others[word] { return [other] }
    let names = DAWCommand.allCommands.map { $0._commandName } + ["help"]
    let verb = String(word.prefix { $0 != "-" })
    if let ours = verbs[verb] {
      let renamed = ours + word.dropFirst(verb.count)
      if names.contains(renamed) { return [renamed] }
    }
    return nearest(to: word, among: names).filter { name in
      !isDestructive(name) || isMeant(verb, by: String(name.prefix { $0 != "-" }))
    }
  }

  /// Whether a typed verb is a slip of the finger for a destructive one: with the same letters, or one of them left out
  /// or typed twice. Another letter makes another word: "rename" and "remote" are not "remove".
  private static func isMeant(_ typed: String, by verb: String) -> Bool {
    guard typed.first == verb.first, abs(typed.count - verb.count) <= 1 else { return false }
    return typed.count == verb.count ? typed.sorted() == verb.sorted() : Set(typed).isSubset(of: verb)
  }
}
