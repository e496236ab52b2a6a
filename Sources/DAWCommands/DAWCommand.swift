import ArgumentParser
import DAWProject
import DAWRender

/// The root of the command line. The subcommands are in `Commands/`, those of one kind of row in one file.
struct DAWCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daw",
    abstract: "A headless digital audio workstation.",
    discussion: """
      A project is a folder, made by 'daw new' and edited by commands, from any number of processes at once. Each edit \
      is one step of undo.

        daw new Song
        daw -p Song add-track Drums
        daw -p Song add-region Drums --file loop.flac
        daw -p Song show

      Without -p the project is that of DAW_PROJECT, or the current folder or the nearest above it that is one, or the \
      only one in the current folder. With --color always or never, what is printed is in colour or not, whatever the \
      terminal has. 'daw help COMMAND' describes a command, with examples.
      """,
    version: dawVersion,
    groupedSubcommands: [
      CommandGroup(
        name: "Project",
        subcommands: [
          New.self, Show.self, Search.self, SetProject.self, Revision.self, ListProjects.self, Copy.self, Backup.self,
          Check.self,
          Relink.self, Recover.self, Clean.self, Upgrade.self,
        ]),
      CommandGroup(
        name: "Track",
        subcommands: [
          AddTrack.self, SetTrack.self, MoveTrack.self, CopyTrack.self, RemoveTrack.self, ListTracks.self,
          ListSoundFonts.self,
          ListPresets.self,
        ]),
      CommandGroup(
        name: "Routing",
        subcommands: [
          AddSend.self, SetSend.self, RemoveSend.self, ListSends.self, AddGroup.self, SetGroup.self, RemoveGroup.self,
          ListGroups.self,
        ]),
      CommandGroup(
        name: "Effect",
        subcommands: [
          AddEffect.self, SetEffect.self, MoveEffect.self, CopyEffect.self, RemoveEffect.self, ListEffects.self,
          ListEffectTypes.self, SavePreset.self, RemovePreset.self, ListEffectPresets.self,
        ]),
      CommandGroup(
        name: "Automation",
        subcommands: [
          AddPoint.self, AddPoints.self, SetPoint.self, RemovePoints.self, MovePoints.self, ScalePoints.self,
          CopyPoints.self, ThinPoints.self, ListPoints.self, SetLane.self, RemoveLane.self, ListLanes.self,
        ]),
      CommandGroup(
        name: "Region",
        subcommands: [
          AddRegion.self, Import.self, SetRegion.self, SplitRegion.self, TrimRegion.self, CopyRegion.self,
          LoopRegion.self,
          RemoveRegion.self, MoveRegions.self, CopyRegions.self, SetRegions.self, RemoveRegions.self, JoinRegions.self,
          NormalizeRegion.self, ReplaceFile.self, ReverseRegion.self, ListRegions.self,
        ]),
      CommandGroup(
        name: "Take",
        subcommands: [UseTake.self, NewTake.self, SetTake.self, RemoveTake.self, JoinTake.self, ListTakes.self]),
      CommandGroup(
        name: "Recording",
        subcommands: [
          Record.self, ListInputs.self, MeasureLatency.self, RecoverRecordings.self, ListRecordings.self,
          ShowRecording.self, SetRecording.self, RemoveRecording.self, RestoreRecording.self, Forget.self,
          ListSegments.self, ListGaps.self, SetRetention.self, ShowRetention.self, Retain.self,
        ]),
      CommandGroup(
        name: "Note",
        subcommands: [
          AddNote.self, AddNotes.self, SetNote.self, SetNotes.self, RemoveNote.self, RemoveNotes.self, ListNotes.self,
          Quantize.self, Transpose.self,
          ScaleVelocity.self, Legato.self, Humanize.self, RemoveOverlaps.self, SplitNotes.self, CopyNotes.self,
          MoveNotes.self,
        ]),
      CommandGroup(
        name: "Event",
        subcommands: [AddEvent.self, AddEvents.self, SetEvent.self, RemoveEvent.self, ListEvents.self]),
      CommandGroup(
        name: "Timeline",
        subcommands: [
          AddTempo.self, SetTempo.self, RemoveTempo.self, ListTempos.self, AddMeter.self, SetMeter.self,
          RemoveMeter.self, ListMeters.self, AddKey.self, SetKey.self, RemoveKey.self, ListKeys.self, AddMarker.self,
          AddMarkers.self, SetMarker.self, RemoveMarker.self, ListMarkers.self, InsertTime.self, DeleteTime.self,
          CopyTime.self,
        ]),
      CommandGroup(
        name: "Comment",
        subcommands: [AddComment.self, AddMemo.self, SetComment.self, RemoveComment.self, ListComments.self]),
      CommandGroup(name: "Shell", subcommands: [ShellCompletion.self]),
      CommandGroup(
        name: "Edit",
        subcommands: [
          Batch.self, Undo.self, Redo.self, History.self, ShowEdit.self, Diff.self, SetHistory.self,
        ]),
      CommandGroup(
        name: "Transcript",
        subcommands: [
          Transcribe.self, Summarize.self, ListTranscripts.self, SetTranscript.self, RemoveTranscript.self,
          ExportTranscript.self,
          ListEngines.self,
        ]),
      CommandGroup(
        name: "Job",
        subcommands: [Work.self, Queue.self, ListJobs.self, RetryJob.self, CancelJob.self, Enqueue.self]),
      CommandGroup(
        name: "Sound",
        subcommands: [
          Play.self, Transport.self, Panic.self, MIDITest.self, Bounce.self, Levels.self, Export.self, Verify.self,
        ]),
    ])

  static var _errorPrefix: String { "daw: " }

  /// Every subcommand there is.
  static var allCommands: [any ParsableCommand.Type] {
    configuration.ungroupedSubcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
  }

  static func command(named name: String) -> (any ParsableCommand.Type)? { commandsByName[name] }

  /// Each configuration gives its command's name: to derive one from the type took a tenth of a command's start.
  private static let commandsByName = Dictionary(
    allCommands.compactMap { command in command.configuration.commandName.map { ($0, command) } }
  ) { first, _ in first }
}
