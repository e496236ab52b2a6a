import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct MoveRegions: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-regions",
    abstract: "Move regions along the timeline.",
    discussion: """
      A distance in bars or quarter notes moves each region by as many ticks, bars being those of the meter where the \
      earliest begins; one in seconds or frames moves each by that time.

        daw move-regions --track Drums --from 9.1.0 --by 2.0.0
        daw move-regions --name 'Vocals*' --by -10ms
        daw move-regions Drums/Loop Keys/Verse --by 4b
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How far: 2.0.0, 4b, 10s, -10ms.", valueName: "distance"),
    transform: TypedShift.init(typed:))
  var by: TypedShift

  @OptionGroup var selection: RegionSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let report = try context.editor.moveRegions(selection.choice(in: timeline)) { start, _ in
      try by.shift(from: start, in: timeline)
    }
    return try report.outcome("Moved \(report.countedRegions)", in: context)
  }
}

struct CopyRegions: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy-regions",
    abstract: "Copy regions with their notes.",
    discussion: """
      They keep their distances from each other. With --count the copies follow each other: end to end, or with --by \
      each as far from the one before. Without --at or --by the first follows the last of the regions.

        daw copy-regions --from 1.1.0 --to 5.1.0 --at 9.1.0
        daw copy-regions --track Drums --track Bass --from 3.1.0 --to 5.1.0 --count 4
        daw copy-regions --name Fill --by 8.0.0 --count 3
      """)

  @OptionGroup var copying: RegionCopyOptions
  @OptionGroup var selection: RegionSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let count = copying.copies.count
    let report = try context.editor.copyRegions(selection.choice(in: timeline), count: count) { start, _ in
      try copying.place(start, in: timeline)
    }
    let times = count == 1 ? "" : " \(count) times"
    return try report.outcome("Copied \(counted(report.chosenCount, "region"))\(times)", madeNew: true, in: context)
  }
}

struct SetRegions: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-regions",
    abstract: "Change settings of many regions at once.",
    discussion: """
        daw set-regions --track Drums --gain -3
        daw set-regions --name 'Scratch*' --mute --color none
        daw set-regions --type audio --fade-in 10ms --fade-out 20ms
      """)

  @OptionGroup var settings: RegionSettingOptions
  @OptionGroup var fades: FadeOptions
  @OptionGroup var selection: RegionSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let report = try context.editor.setRegions(
      selection.choice(in: timeline), settings.change, fades.changes(in: timeline))
    return try report.outcome("Changed \(report.countedRegions)", in: context)
  }

  func validate() throws {
    if settings.change.isEmpty, fades.isEmpty {
      throw ValidationError("Say what to change, such as --gain or --mute; 'daw set-regions --help' lists all.")
    }
  }
}

struct RemoveRegions: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-regions",
    abstract: "Remove regions that options choose, with their notes.",
    discussion: """
      Audio files stay in the project, so that undo brings all of it back; 'daw clean' removes what nothing uses.

        daw remove-regions --track Drums --from 9.1.0 --to 17.1.0
        daw remove-regions --name 'Scratch*' --dry-run
      """)

  @OptionGroup var selection: RegionSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let report = try context.editor.removeRegions(selection.choice(in: context.timeline()))
    return try report.outcome("Removed \(report.countedRegions)", key: "removed", in: context)
  }
}

struct JoinRegions: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "join-regions",
    abstract: "Make one region of several that lie on one track.",
    discussion: """
      The earliest keeps its name and settings and becomes as long as all of them. Notes and events keep their place on \
      the timeline. Audio regions join where one goes on playing the same file where another ends, with the same \
      settings: as 'split-region' leaves them.

        daw join-regions Keys/Verse Keys/Chorus
        daw join-regions --track Drums --from 1.1.0 --to 9.1.0
      """)

  @OptionGroup var selection: RegionSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let (joined, count) = try context.editor.joinRegions(selection.choice(in: context.timeline()))
    let entry = try view.entry(of: joined)
    return EditOutcome(
      summary: "Joined \(counted(count, "region")) into '\(entry.track)/\(entry.region.name)': \(Wording.span(entry)), "
        + "\(Wording.content(entry.region)).",
      json: JSONObject(["region": entry, "joinedCount": count]))
  }
}
