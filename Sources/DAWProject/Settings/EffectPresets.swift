import DAWErrors
import DAWMedia
import DAWModel
import Foundation

/// The presets of effects: those that come with daw, and the user's own, files `presets/KIND/NAME.json` in
/// `UserFolders.data`.
public struct EffectPresets {
  /// Absolute.
  public let folder: String

  public init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    folder = UserFolders.data(environment) + "/presets"
  }

  /// The user's preset of a name, else the factory's; case does not matter.
  /// - Throws: `Failure` if there is none, or its file cannot be used.
  public func preset(_ kind: EffectKind, named name: String) throws -> EffectPreset {
    let key = Name.key(of: name)
    if let file = files(of: kind).first(where: { Name.key(of: $0) == key }) { return try read(kind, file) }
    if let preset = EffectPreset.factory(kind, named: name) { return preset }
    throw notFound(kind, name)
  }

  private func notFound(_ kind: EffectKind, _ name: String) -> Failure {
    let names = EffectPreset.factory.filter { $0.kind == kind }.map(\.name) + files(of: kind)
    let near = nearest(to: name, among: names)
    let question = near.isEmpty ? "" : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))? "
    return Failure(
      .noInput, code: "presetNotFound", "There is no preset '\(name)' for \(kind.rawValue). Nothing was changed.",
      hint: question + "There are \(names.joined(separator: ", ")).")
  }

  /// A preset in a listing.
  public struct Listed {
    public var kind: EffectKind
    public var name: String
    /// What it is for; of the user's own, empty.
    public var abstract: String
    /// `nil` for a factory preset.
    public var path: String?
    /// Its values, or why its file cannot be used.
    public var values: Result<EffectValues, Failure>
  }

  /// In order of kind, the factory's first.
  /// - Parameter kind: `nil` for all.
  public func list(_ kind: EffectKind?) -> [Listed] {
    EffectKind.allCases.filter { kind == nil || $0 == kind }.flatMap { kind in
      EffectPreset.factory.filter { $0.kind == kind }.map {
        Listed(kind: kind, name: $0.name, abstract: $0.abstract, path: nil, values: .success($0.values))
      }
        + files(of: kind).map { name in
          Listed(
            kind: kind, name: name, abstract: "", path: path(kind, name),
            values: Result { try read(kind, name).values }.mapError { Failure($0) })
        }
    }
  }

  /// Writes a preset of the user, atomically.
  /// - Parameter replaces: whether one of the same name is replaced; else that is an error.
  /// - Returns: the path of its file.
  /// - Throws: `Failure`; a preset that is there is unchanged then.
  public func save(_ preset: EffectPreset, replaces: Bool) throws -> String {
    let name = try Self.checked(preset.name)
    if EffectPreset.factory(preset.kind, named: name) != nil {
      throw Failure(
        .cannotCreate, code: "presetExists", "'\(name)' is a preset that comes with daw. Nothing was written.",
        hint: "Choose another name.")
    }
    let key = Name.key(of: name)
    let known = files(of: preset.kind).first { Name.key(of: $0) == key }
    if let known, !replaces {
      throw Failure(
        .cannotCreate, code: "presetExists",
        "There is a preset '\(known)' for \(preset.kind.rawValue) already. Nothing was written.",
        hint: "Say --replace to write it anew, or choose another name.")
    }
    let place = Place(root: folder, [preset.kind.rawValue])
    do {
      try Place(root: folder).makeRoot()
      _ = try place.make()
    } catch {
      throw Failure(
        .cannotCreate, code: "cannotCreate",
        "The folder '\(place.path)' could not be made: \(String(cString: strerror(error.code))). Nothing was written.",
        hint: "Check its permissions and the free space.")
    }
    let file = place.appending((known ?? name) + Self.ending)
    try writeWholeFile([UInt8](PresetFile(preset).encoded()), at: file, replaces: replaces)
    return file.path
  }

  /// Removes a preset of the user.
  /// - Returns: its name.
  /// - Throws: `Failure`.
  public func remove(_ kind: EffectKind, named name: String) throws -> String {
    let key = Name.key(of: name)
    guard let file = files(of: kind).first(where: { Name.key(of: $0) == key }) else {
      if EffectPreset.factory(kind, named: name) != nil {
        throw Failure(
          .invalid, code: "presetStays", "'\(name)' comes with daw and cannot be removed. Nothing was changed.")
      }
      throw notFound(kind, name)
    }
    Place(root: folder, [kind.rawValue, file + Self.ending]).removeAll()
    guard access(path(kind, file), F_OK) != 0 else {
      throw Failure(.io, code: "io", "'\(path(kind, file))' could not be removed. Nothing was changed.")
    }
    return file
  }

  // MARK: Files

  private static let ending = ".json"
  /// In bytes. A preset that daw writes has less than 4,000.
  private static let maximumSize = 1 << 16

  private func path(_ kind: EffectKind, _ name: String) -> String {
    "\(folder)/\(kind.rawValue)/\(name)\(Self.ending)"
  }

  /// The names of the user's presets of a kind, sorted.
  private func files(of kind: EffectKind) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(kind.rawValue)")) ?? []
    return names.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") && $0.count > Self.ending.count }
      .map { String($0.dropLast(Self.ending.count)) }.sorted()
  }

  /// A name that can be a file's, and leads nowhere else.
  private static func checked(_ text: String) throws -> String {
    let name = try Name(text).text
    guard !name.contains("/"), !name.hasPrefix("."), name.utf8.count <= 200 else {
      throw Failure(
        .invalid, code: "invalidPresetName", "'\(name)' is no name for a preset. Nothing was written.",
        hint: "It has no '/', begins with no point and has at most 200 bytes: it becomes the name of a file.")
    }
    return name
  }

  private func read(_ kind: EffectKind, _ name: String) throws -> EffectPreset {
    let path = path(kind, name)
    func bad(_ reason: String) -> Failure {
      Failure(
        .invalid, code: "invalidPreset", "The preset '\(path)' cannot be used: \(reason) Nothing was changed.",
        hint: "'daw save-preset' writes presets; 'daw remove-preset' removes one.")
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw bad("it is no file.") }
    guard status.st_size <= Self.maximumSize else { throw bad("it is too long for a preset.") }
    guard let content = FileManager.default.contents(atPath: path), content.count <= Self.maximumSize else {
      throw bad("it cannot be read.")
    }
    guard let file = try? JSONDecoder().decode(PresetFile.self, from: content),
      let object = try? JSONSerialization.jsonObject(with: content) as? [String: Any]
    else { throw bad("it is no JSON object with 'kind' and 'settings'.") }
    let known = Set(PresetFile.CodingKeys.allCases.map(\.rawValue))
    if let stranger = object.keys.sorted().first(where: { !known.contains($0) }) {
      throw bad("'\(stranger.prefix(80))' is no key of a preset: those are 'kind' and 'settings'.")
    }
    guard file.kind == kind.rawValue else { throw bad("it is for '\(file.kind.prefix(80))', not \(kind.rawValue).") }
    var values = EffectValues(kind)
    for (name, value) in file.settings.sorted(by: { $0.key < $1.key }) {
      guard let parameter = kind.parameter(name) else { throw bad("'\(name.prefix(80))' is no parameter.") }
      guard let number = value.number(of: parameter), parameter.accepts(number) else {
        throw bad("'\(name)' is \(parameter.acceptedValues).")
      }
      values.set(name, to: number)
    }
    return EffectPreset(kind, name, values)
  }
}

extension EffectPreset {
  /// Case does not matter.
  fileprivate static func factory(_ kind: EffectKind, named name: String) -> EffectPreset? {
    let key = Name.key(of: name)
    return factory.first { $0.kind == kind && $0.name == key }
  }
}

/// A preset's file: numbers in the units of the parameters, choices by their names, toggles as true and false.
private struct PresetFile: Codable {
  var kind: String
  var settings: [String: Value]

  enum CodingKeys: String, CodingKey, CaseIterable { case kind, settings }

  enum Value: Codable {
    case flag(Bool)
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .flag(let flag): try container.encode(flag)
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }

    /// `nil` if it is not of the kind that the parameter has: a toggle, a choice or a number.
    func number(of parameter: EffectParameter) -> Double? {
      switch (self, parameter.unit) {
      case (.flag(let flag), .toggle): flag ? 1 : 0
      case (.text(let text), .choice): parameter.value(of: text)
      case (.number, .choice), (.number, .toggle): nil
      case (.number(let number), _): number == 0 ? 0 : number
      default: nil
      }
    }
  }

  init(_ preset: EffectPreset) {
    kind = preset.kind.rawValue
    settings = Dictionary(
      uniqueKeysWithValues: preset.values.changed.map { parameter, value in
        switch parameter.unit {
        case .choice: (parameter.name, .text(parameter.text(of: value)))
        case .toggle: (parameter.name, .flag(value != 0))
        default: (parameter.name, .number(value))
        }
      })
  }

  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
