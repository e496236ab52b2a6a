import DAWModel
import DAWProject
import DAWWork
import Foundation

/// The values that an argument may have, some of them from the project.
struct ArgumentValues {
  let verb: String
  let scan: ArgumentScan
  /// As given by `-p`.
  let project: String?

  func completions(for argument: OptionGrammar.Argument, _ typed: String) -> Completions {
    var found = values(of: argument, typed)
    // A name that begins with a dash would be an option; -inf is a value.
    if !scan.isPastOptions {
      found.candidates.removeAll { $0.text.unicodeScalars.first == "-" && $0.text != "-inf" }
    }
    return found
  }

  private func values(of argument: OptionGrammar.Argument, _ typed: String) -> Completions {
    switch argument.completion {
    case .list(let values): return Completions(candidates: values.map { Candidate(text: $0) })
    case .folders:
      return argument.names.contains("--project") ? ProjectNames.projects : Completions(paths: .folders)
    case .files where argument.valueName != "soundfont" && argument.valueName != "file|name":
      return Completions(paths: .files)
    default: break
    }
    switch argument.valueName {
    case "track" where takesGroups(argument): return groups
    case "track": return tracks
    case "parameter": return laneParameters(argument)
    case "value" where verb.hasSuffix("-point"): return pointValues
    case "bus": return buses(withOthers: argument.names.contains("--output"))
    case "group": return groups
    case "effect", "effects": return effects
    case "track|effect": return Completions(candidates: tracks.candidates + effects.candidates)
    case "name=value": return settings(typed)
    case "effect-preset": return effectPresets
    case "region", "regions": return regions(typed)
    case "take", "takes": return takes
    case "recording", "recordings": return recordings
    case "sound", "sounds": return Completions(candidates: [tracks, regions(typed), recordings].flatMap(\.candidates))
    case "engine": return engines
    case "name" where verb.hasSuffix("-regions"):
      return names { try $0.read { try $0.regions() }.map { Candidate(text: $0.name.text) } }
    case "marker", "markers": return names { try $0.read { try $0.markers() }.map { Candidate(text: $0.name.text) } }
    case "position", "place", "places": return marks(typed)
    case "soundfont", "file|name": return soundFonts
    case "command": return Completions(candidates: DAWCommand.allCommands.map { Candidate(text: $0._commandName) })
    case "n" where argument.names.contains("--program"): return programs
    default: return Completions()
    }
  }

  /// `TRACK/NAME`, or where no track begins with what is typed a name that only one region has.
  private func regions(_ typed: String) -> Completions {
    names { session in
      let (allTracks, regions) = try session.read { (try $0.tracks(), try $0.regions()) }
      let tracks = Dictionary(uniqueKeysWithValues: allTracks.map { ($0.id, $0.name.text) })
      let full = regions.map { Candidate(text: "\(tracks[$0.track] ?? "")/\($0.name)", about: $0.regionType.rawValue) }
      let typed = typed.lowercased()
      guard !full.contains(where: { $0.text.lowercased().hasPrefix(typed) }) else { return full }
      let counts = Dictionary(regions.map { ($0.name.key, 1) }, uniquingKeysWith: +)
      return regions.filter { counts[$0.name.key] == 1 }.map {
        Candidate(text: $0.name.text, about: tracks[$0.track] ?? "")
      }
    }
  }

  var tracks: Completions {
    names { session in
      try session.read { try $0.tracks() }.map { Candidate(text: $0.name.text, about: $0.trackType.rawValue) }
    }
  }

  private var takes: Completions {
    names { session in
      try session.read { try $0.takeEntries() }.map { Candidate(text: $0.name, about: "take") }
    }
  }

  /// Those in the trash where they are brought back from it, and all where they are removed for good.
  private var recordings: Completions {
    let isTrashed = verb == "restore-recording" ? [true] : verb == "forget" ? [false, true] : [false]
    return names { session in
      let entries = try session.read { view in
        try isTrashed.flatMap { try view.recordingEntries(RecordingFilter(isTrashed: $0)).entries }
      }
      return entries.map { entry in
        let date = Wording.date(entry.recording.startTime.iso8601)
        return entry.title.isEmpty
          ? Candidate(text: entry.shortID, about: date) : Candidate(text: entry.title, about: date)
      }
    }
  }

  /// Those that do what the command asks for.
  private var engines: Completions {
    let folder = EngineFolder()
    let task: Engine.Task = verb == "summarize" ? .summarize : .transcribe
    let found = folder.names().filter { (try? folder.engine(named: $0, for: task)) != nil }
    return Completions(candidates: found.map { Candidate(text: $0) })
  }

  var groups: Completions {
    names { try $0.read { try $0.all(TrackGroup.self) }.map { Candidate(text: $0.name.text) } }
  }

  /// - Parameter withOthers: with what else an output can feed.
  private func buses(withOthers: Bool) -> Completions {
    names { session in
      let tracks = try session.read { try $0.tracks() }
      let found = tracks.filter { $0.trackType == .bus || (withOthers && $0.trackType == .master) }
      return found.map { Candidate(text: $0.name.text, about: $0.trackType.rawValue) }
        + (withOthers ? [Candidate(text: "none")] : [])
    }
  }

  /// Positions with a name. Edges of regions come when a region's reference has been begun, since they are many.
  private func marks(_ typed: String) -> Completions {
    var found = names { session in
      ["@start", "@end", "@playhead"].map { Candidate(text: $0) }
        + (try session.read { try $0.markers() }.map { Candidate(text: "@\($0.name)", about: "marker") })
    }
    let text = typed.lowercased()
    guard text.hasPrefix("@"), text.count > 1,
      !found.candidates.contains(where: { $0.text.lowercased().hasPrefix(text) })
    else { return found }
    let regions = regions(String(typed.dropFirst())).candidates
    found.candidates += regions.flatMap { region in
      ["start", "end"].map { Candidate(text: "@\(region.text).\($0)", about: region.about) }
    }
    return found
  }

  private var soundFonts: Completions {
    let session = try? ProjectFinder().findIfAny(project).map { try Session.open($0) }
    defer { session?.close() }
    let fonts = (try? SoundFontEntry.all(session)) ?? []
    return Completions(candidates: fonts.map { Candidate(text: $0.name, about: $0.path) }, paths: .files)
  }

  /// The numbers of programs, with their names in the default SoundFont.
  private var programs: Completions {
    let bank = scan.options.last { $0.argument.names.contains("--bank") }?.value.flatMap { Int($0) } ?? 0
    let session = try? ProjectFinder().findIfAny(project).map { try Session.open($0) }
    defer { session?.close() }
    guard let font = (try? SoundFontEntry.all(session))?.first else { return Completions() }
    let presets = session?.presetNames(ofSoundFonts: [font.path]) ?? Session.presetNames(ofInstalled: font.path)
    return Completions(
      candidates: (0...127).compactMap { program in
        presets[font.path, bank: bank, program: program].map { Candidate(text: "\(program)", about: $0) }
      })
  }

  /// Names from the project; none where it cannot be read.
  func names(_ read: (Session) throws -> [Candidate]) -> Completions {
    guard let session = try? ProjectFinder().findIfAny(project).map({ try Session.open($0) }) else {
      return Completions()
    }
    defer { session.close() }
    let found = (try? read(session)) ?? []
    var seen: Set<String> = []
    return Completions(candidates: found.filter { seen.insert($0.text).inserted })
  }
}

/// Names of projects for `-p`.
enum ProjectNames {
  static var projects: Completions {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
    let found = names.sorted().map { ProjectFolder(path: $0) }.filter { $0.path.hasSuffix(ProjectFolder.ending) }
    return Completions(candidates: found.filter(\.isProject).map { Candidate(text: $0.name) }, paths: .folders)
  }
}
