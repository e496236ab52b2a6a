import ArgumentParser
import DAWProject

struct SetProject: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-project",
    abstract: "Change the project's settings.",
    discussion: """
        daw set-project --tempo 92.5
        daw set-project --name 'Second Song' --time-signature 7/8
      """)

  @OptionGroup var settings: ProjectSettingOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let changed = try context.editor.setProject(settings.change())
    return EditOutcome(
      summary: "Project '\(changed.name)': \(Wording.number(changed.tempo.bpm)) BPM, \(changed.timeSignature), "
        + "\(changed.sampleRate.hertz) Hz, pan law \(changed.panLaw.rawValue).",
      json: JSONObject([
        "name": changed.name.text, "tempo": changed.tempo.bpm, "timeSignature": changed.timeSignature.description,
        "sampleRate": changed.sampleRate.hertz, "panLaw": changed.panLaw,
      ]))
  }

  func validate() throws {
    if settings.isEmpty {
      throw ValidationError("Say what to change: --name, --tempo, --time-signature, --rate or --pan-law.")
    }
  }
}
