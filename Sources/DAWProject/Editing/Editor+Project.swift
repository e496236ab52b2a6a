import DAWModel
import DAWStore
import DAWTime

/// A partial update of a project's settings; `nil` keeps the field.
public struct ProjectChange: Sendable {
  public var name: String?
  public var tempo: Tempo?
  public var timeSignature: TimeSignature?
  public var sampleRate: SampleRate?
  public var panLaw: PanLaw?

  public init() {}

  func apply(to settings: inout ProjectSettings) throws {
    if let name { settings.name = try Name(name) }
    if let tempo { settings.tempo = tempo }
    if let timeSignature { settings.timeSignature = timeSignature }
    if let sampleRate { settings.sampleRate = sampleRate }
    if let panLaw { settings.panLaw = panLaw }
  }
}

extension Editor {
  public func setProject(_ change: ProjectChange) throws -> ProjectSettings {
    var settings = try view.header().settings
    try change.apply(to: &settings)
    try apply(.setProject(settings))
    note("Changed the project's settings")
    return settings
  }
}
