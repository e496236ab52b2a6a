import DAWModel
import DAWStore
import DAWTime

extension Editor {
  public func setProject(_ change: Change<ProjectSettings>) throws -> ProjectSettings {
    let settings = change.applied(to: try view.header().settings)
    try apply(.setProject(settings))
    note("Changed the project's settings")
    return settings
  }
}
