import ArgumentParser
import Foundation

struct ShellCompletion: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Print the script by which a shell completes what is typed.",
    discussion: """
      Completes commands, options and their values, and from the project tracks, regions, markers and programs. In the \
      file that the shell reads when it starts:

        source <(daw completion bash)
        source <(daw completion zsh)
        daw completion fish | source
      """)

  @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "shell"))
  var shell: CompletionScript

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    CommandResult(
      lines: shell.text.components(separatedBy: "\n"),
      json: JSONObject(["shell": shell.rawValue, "script": shell.text]))
  }
}

extension CompletionScript: ExpressibleByArgument {}
