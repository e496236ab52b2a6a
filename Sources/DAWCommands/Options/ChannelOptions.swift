import ArgumentParser
import DAWModel

/// Which of their file's channels audio regions play.
struct ChannelOptions: ParsableArguments {
  @Option(
    name: [.long, .customLong("channels")],
    help: ArgumentHelp(
      "What it plays of its file: left, right, mix (the mean of both), all, or channels from 1, such as 3,4.",
      valueName: "channels"),
    completion: .list(["left", "right", "mix", "all"]), transform: ChannelSelection.init(typed:))
  var channel: ChannelSelection?
}
