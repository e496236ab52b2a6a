import ArgumentParser
import DAWModel
import DAWWork

/// How sound is transcribed.
struct SpeechOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The engine that transcribes; 'daw list-engines' lists them.", valueName: "engine"))
  var engine = Engine.pocketsphinx.name

  @Option(
    help: ArgumentHelp("What is spoken, such as en or de-AT.", valueName: "language"), transform: Self.language(typed:))
  var language = "en"

  private static func language(typed text: String) throws -> String {
    guard Transcript.isLanguage(text) else { throw Unreadable(text, "a language is a tag such as en, de or pt-BR.") }
    return text
  }
}

/// How jobs for an engine are done.
struct EngineJobOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The engine to use where the first is not there, or has failed five times.", valueName: "engine")
  )
  var fallback: String?

  @Flag(help: "Do the jobs now, and wait until they have ended.")
  var wait = false
}
