import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import Foundation

extension Editor {
  /// Sets the gain of audio regions so that each of them reaches a level.
  /// - Parameter sounds: what has been measured already; the rest is measured now.
  /// - Throws: `Failure` if a region is silent, or would need a gain that it cannot have.
  public func normalizeRegions(
    _ choice: RegionChoice, to target: NormalizationTarget, _ sounds: RegionSounds = RegionSounds()
  ) throws -> RegionEditReport {
    let chosen = try view.regions(chosenBy: choice)
    try requireAudio(chosen, "gain", .gain)
    var sounds = sounds
    try sounds.measure(chosen.compactMap(\.audio)) { try folder.readable(view.audioFile($0)) }
    let normalized = try chosen.map { region in
      var region = region
      region.gain = try gain(of: region, target, sounds)
      return region
    }
    return try set(chosen, to: normalized, "Normalized")
  }

  private func gain(of region: Region, _ target: NormalizationTarget, _ sounds: RegionSounds) throws -> Level {
    let name = "\(try view.track(region.track)?.name.text ?? "")/\(region.name)"
    guard let span = region.audio else {
      throw Failure(
        .invalid, code: Rule.gain.rawValue, "Region '\(name)' holds notes, so it has no gain. Nothing was changed.",
        hint: "Set the track's volume, or the notes' velocities.")
    }
    guard let level = sounds.sounds[span]?.level(for: target) else {
      throw Failure(
        .invalid, code: "silent",
        "Region '\(name)' is silent, or too quiet or short to be measured. Nothing was changed.",
        hint: "A loudness needs 400 ms above -70 LUFS; --to -1dBFS takes any sound.")
    }
    let exact = target.level - level
    // Hundredths of a dB; a peak is never exceeded by rounding.
    let gain = Level(decibels: (target.isPeak ? (exact * 100 + 1e-6).rounded(.down) : (exact * 100).rounded()) / 100)
    guard gain.isAccepted else {
      throw RuleViolation(.gain, value: "a gain of \(gain)", subject: "region '\(name)'")
    }
    return gain
  }
}

extension NormalizationTarget {
  /// In its unit.
  public var level: Double {
    switch self {
    case .loudness(let level), .truePeak(let level), .samplePeak(let level): level
    }
  }

  fileprivate var isPeak: Bool { if case .loudness = self { false } else { true } }
}
