import DAWErrors
import DAWModel
import Foundation

/// The user's settings for all projects: `settings.json` in `UserFolders.configuration`.
package struct UserSettings: Codable, Equatable {
  /// In the format of `CacheLimit.bytes`.
  var cacheLimit: String?
  /// The name of the engine that writes a summary of a recording once all of it was transcribed.
  package var summaryEngine: String?

  static let fileName = "settings.json"

  /// - Returns: empty settings if there is no file.
  /// - Throws: `Failure` if the file cannot be read, or has an unknown setting.
  package static func read(_ environment: [String: String]) throws -> UserSettings {
    let path = UserFolders.configuration(environment) + "/" + fileName
    guard FileManager.default.fileExists(atPath: path) else { return UserSettings() }
    func bad(_ reason: String) -> Failure {
      Failure(
        .invalid, code: "invalidSettings", "The settings '\(path)' cannot be used: \(reason) Nothing was written.",
        hint: "They are a JSON object such as {\"cacheLimit\": \"4G\"}.")
    }
    guard let content = SmallFile.contents(ofFile: path) else {
      throw bad("they cannot be read, or have more than 1 MiB.")
    }
    guard let object = try? JSONSerialization.jsonObject(with: content) as? [String: Any] else {
      throw bad("they are no JSON object.")
    }
    let known = Set(CodingKeys.allCases.map(\.rawValue))
    if let stranger = object.keys.sorted().first(where: { !known.contains($0) }) {
      throw bad("'\(stranger)' is no setting.")
    }
    guard let settings = try? JSONDecoder().decode(UserSettings.self, from: content) else {
      throw bad("a setting has a value of the wrong kind.")
    }
    if let limit = settings.cacheLimit, CacheLimit.bytes(limit) == nil { throw bad("'\(limit)' is no size.") }
    if let engine = settings.summaryEngine, !Job.isEngineName(engine) { throw bad("'\(engine)' is no engine's name.") }
    return settings
  }

  private enum CodingKeys: String, CodingKey, CaseIterable { case cacheLimit, summaryEngine }
}

/// The maximum size of a cache folder on the disk.
package enum CacheLimit {
  static let standard: Int64 = 2 << 30

  /// The environment's `DAW_CACHE_LIMIT`, or else the user's setting, or else 2 GiB.
  /// - Throws: `Failure` if it is not a size.
  package static func current(_ environment: [String: String]) throws -> Int64 {
    if let text = environment["DAW_CACHE_LIMIT"], !text.isEmpty {
      if let bytes = bytes(text) { return bytes }
      throw Failure(
        .usage, code: "invalidCacheLimit", "'\(text)' is no size for the cache. Nothing was written.",
        hint: "DAW_CACHE_LIMIT is a number of bytes, or one with K, M, G or T: 500M, 4G; 0 keeps nothing.")
    }
    return try UserSettings.read(environment).cacheLimit.flatMap(bytes) ?? standard
  }

  /// - Parameter text: a number of bytes, optionally with the suffix K, M, G or T (powers of 1,024).
  /// - Returns: `nil` if it is not a size.
  package static func bytes(_ text: String) -> Int64? {
    let shift = ["K": 10, "M": 20, "G": 30, "T": 40][text.suffix(1).uppercased()] ?? 0
    guard let number = Int64(shift == 0 ? text : String(text.dropLast())), number >= 0,
      number <= Int64.max >> Int64(shift)
    else { return nil }
    return number << Int64(shift)
  }
}
