import ArgumentParser

@main
struct DAWCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "daw", abstract: "A headless digital audio workstation.")
}
