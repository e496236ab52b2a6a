import DAWErrors
import Foundation

/// Finds the project that a command applies to.
public struct ProjectFinder: Sendable {
  /// Absolute.
  public var currentFolder: String
  /// The value of `DAW_PROJECT`.
  public var environment: String?

  public init(
    currentFolder: String = FileManager.default.currentDirectoryPath,
    environment: String? = ProcessInfo.processInfo.environment["DAW_PROJECT"]
  ) {
    self.currentFolder = currentFolder
    self.environment = environment
  }

  /// - Parameter typed: the project's path, with or without `.daw`; `nil` searches: `DAW_PROJECT`, the current folder
  ///   and those above it, then the only project in the current folder.
  /// - Throws: `Failure` of kind `noInput`, with what was found.
  public func find(_ typed: String?) throws -> ProjectFolder {
    if let typed { return try project(at: typed, from: "-p") }
    if let environment, !environment.isEmpty { return try project(at: environment, from: "DAW_PROJECT") }
    if let around = projectAround { return around }
    let found = projects(in: currentFolder)
    switch found.count {
    case 1: return found[0]
    case 0:
      throw Failure(
        .noInput, code: "projectNotFound",
        "There is no project here: neither is '\(currentFolder)' or a folder above it one, nor does it hold one.",
        hint: "Name one with -p PATH, or make one with 'daw new PATH'.")
    default:
      let names = found.map { "'\($0.name)'" }.joined(separator: ", ")
      throw Failure(
        .noInput, code: "severalProjects", "There are \(found.count) projects in '\(currentFolder)': \(names).",
        hint: "Name one of them with -p.")
    }
  }

  /// The project at a path that is the argument of a command, with or without `.daw`.
  /// - Throws: `Failure` of kind `noInput`.
  public func find(at typed: String) throws -> ProjectFolder { try project(at: typed, from: nil) }

  /// Like `find`, but returns `nil` if no project was named and the search finds none or several.
  /// - Throws: `Failure`.
  public func findIfAny(_ typed: String?) throws -> ProjectFolder? {
    let isNamed = typed != nil || environment?.isEmpty == false
    return isNamed ? try find(typed) : try? find(nil)
  }

  /// - Parameter source: where the path stood, unless it was the command's argument.
  private func project(at typed: String, from source: String?) throws -> ProjectFolder {
    let place = source.map { " (\($0))" } ?? ""
    // It would be the current folder, where a script's variable was to name another.
    guard !typed.isEmpty else {
      throw Failure(
        .noInput, code: "projectNotFound", "The path of the project is empty\(place).",
        hint: source.map { "Without \($0) it is the project around the current folder, or the only one in it." })
    }
    let path = typed.hasPrefix("/") ? typed : currentFolder + "/" + typed
    let folder = ProjectFolder(path: path)
    let candidates = [folder, ProjectFolder(path: folder.path + ProjectFolder.ending)]
    if let found = candidates.first(where: \.isProject) { return found }
    let isThere = FileManager.default.fileExists(atPath: path)
    let parent = (folder.path as NSString).deletingLastPathComponent
    let near = nearest(to: folder.name, among: projects(in: parent).map(\.name))
    throw Failure(
      .noInput, code: isThere ? "notAProject" : "projectNotFound",
      isThere ? "'\(typed)'\(place) is no project of daw." : "There is no project '\(typed)'\(place).",
      hint: near.first.map { "Did you mean '\($0)'?" } ?? "'daw new PATH' makes one; 'daw list-projects' finds others.")
  }

  private var projectAround: ProjectFolder? {
    let folder = ProjectFolder(path: currentFolder)
    return folder.isProject ? folder : folder.enclosingProject
  }

  /// The projects that lie directly in a folder, by name.
  private func projects(in folder: String) -> [ProjectFolder] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(ProjectFolder.ending) && !$0.hasPrefix(".") }.sorted()
      .map { ProjectFolder(path: folder + "/" + $0) }.filter(\.isProject)
  }
}
