import DAWErrors
import DAWMedia
import DAWProject
import DAWRender
import Foundation

/// Named settings of `bounce`. Each applies when the option of the same name is not given.
struct BouncePreset: Codable, Equatable {
  var format: String?
  var bits: String?
  /// Hertz.
  var rate: Int?
  var mono: Bool?
  /// The quality of Ogg Vorbis and M4A: `low`, `medium` or `high`.
  var quality: String?
  var dither: String?
  var loudness: Bool?
  var normalize: String?
  var ceiling: String?
  var limit: Bool?
  var tail: String?
  var bext: Bool?
  var ixml: Bool?
  var markers: Bool?
  var description: String?
  var originator: String?
  var title: String?
  var artist: String?
  var album: String?
  var comment: String?
  var cover: String?
  var chapters: Bool?

  static let builtIn: [String: BouncePreset] = [
    "cd": BouncePreset(format: "wav", bits: "16", rate: 44_100, dither: "tpdf"),
    "streaming": BouncePreset(format: "wav", bits: "24", normalize: "-14LUFS", ceiling: "-1dBTP"),
    "podcast": BouncePreset(format: "mp3", rate: 44_100, normalize: "-16LUFS", ceiling: "-1dBTP", limit: true),
    "archive": BouncePreset(format: "wav", bits: "32f", tail: "auto", bext: true, ixml: true),
    "draft": BouncePreset(format: "ogg"),
  ].merging(LossyQuality.allCases.map { ($0.rawValue, BouncePreset($0)) }) { first, _ in first }

  /// The user's own of that name, `presets/NAME.json` in `$XDG_CONFIG_HOME/daw` or `~/.config/daw`, else the built-in
  /// one.
  /// - Throws: `Failure` when there is none, or its file cannot be read.
  static func named(_ name: String, _ environment: [String: String]) throws -> BouncePreset {
    let folder = UserFolders.configuration(environment) + "/presets"
    let path = "\(folder)/\(name).json"
    guard !name.isEmpty, !name.contains("/"), name.first != ".", FileManager.default.fileExists(atPath: path) else {
      if let preset = builtIn[name.lowercased()] { return preset }
      let own = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
      let names = builtIn.keys.sorted() + own.map { String($0.dropLast(5)) }.sorted()
      let near = nearest(to: name, among: names)
      let question = near.isEmpty ? "" : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))? "
      throw Failure(
        .noInput, code: "presetNotFound", "There is no preset '\(name)'. Nothing was written.",
        hint: question + "There are \(names.joined(separator: ", ")); your own are files in '\(folder)'.")
    }
    return try read(path)
  }

  private static func read(_ path: String) throws -> BouncePreset {
    func bad(_ reason: String) -> Failure {
      Failure(
        .invalid, code: "invalidPreset", "The preset '\(path)' cannot be used: \(reason) Nothing was written.",
        hint: "It is a JSON object such as {\"format\": \"flac\", \"bits\": \"16\", \"rate\": 44100, \"mono\": true}.")
    }
    guard let content = SmallFile.contents(ofFile: path) else {
      throw bad("it cannot be read, or has more than 1 MiB.")
    }
    guard let object = try? JSONSerialization.jsonObject(with: content) as? [String: Any] else {
      throw bad("it is no JSON object.")
    }
    let known = Set(CodingKeys.allCases.map(\.rawValue))
    if let stranger = object.keys.sorted().first(where: { !known.contains($0) }) {
      throw bad("'\(stranger)' is no setting of a preset.")
    }
    guard let preset = try? JSONDecoder().decode(BouncePreset.self, from: content) else {
      throw bad("a setting has a value of the wrong kind.")
    }
    do {
      try preset.check()
    } catch let failure as Failure {
      throw bad(failure.hint ?? failure.message)
    } catch {
      throw bad("\(error)")
    }
    return preset
  }

  /// Throws where a text cannot be read.
  private func check() throws {
    _ = try format.map(BounceFormat.container)
    _ = try bits.map(BounceFormat.encoding)
    _ = try dither.map(BounceFormat.dither)
    _ = try quality.map(BounceFormat.quality)
    _ = try normalize.map(NormalizationTarget.init(typed:))
    _ = try ceiling.map(BounceLevel.ceiling)
    _ = try tail.map(TypedTail.init(typed:))
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case format, bits, rate, mono, quality, dither, loudness, normalize, ceiling, limit, tail, bext, ixml, markers,
      description,
      originator, title, artist, album, comment, cover, chapters
  }
}

extension BouncePreset {
  fileprivate init(_ quality: LossyQuality) {
    self.init(format: "ogg", rate: quality.sampleRate.hertz, mono: true, quality: quality.rawValue)
  }
}
