import DAWEngine
import DAWMedia
import DAWTime

/// Digests of everything that a stage's frames depend on: equal keys mean equal frames. For an instrument, the mixer
/// (mute, volume, pan), the SoundFont's path and the track's name are not part of it; for a strip, see `SignalKey`.
struct RenderKey: Hashable, Sendable {
  /// SHA-256 of each part, in the order of `RenderPart.allCases`; zeros for those that the stage does not have.
  let parts: [[UInt8]]

  static let digestSize = 32

  init(parts: [[UInt8]]) { self.parts = parts }

  init(_ digests: [RenderPart: [UInt8]]) {
    parts = RenderPart.allCases.map { digests[$0] ?? [UInt8](repeating: 0, count: Self.digestSize) }
  }

  /// - Parameter renderer: the programs that render the plan, as text.
  init(_ plan: InstrumentPlan, renderer: String) {
    var digests: [RenderPart: [UInt8]] = [:]
    for part in RenderPart.ofInstruments {
      var hash = StreamingSHA256()
      switch part {
      case .soundFont: hash.update(plan.soundFontHash)
      case .preset: hash.update("\(plan.bank):\(plan.program)\(plan.isPercussion ? ":kit" : "")")
      case .sampleRate: hash.update("\(plan.sampleRate.hertz)")
      case .events:
        hash.update(plan.events)
        for bytes in plan.systemExclusive {
          hash.update("\(bytes.count):")
          bytes.withUnsafeBytes { hash.update($0) }
        }
      case .effects: hash.update("\(plan.effects)")
      case .renderer:
        digests[part] = Self.digest(ofRenderer: renderer)
        continue
      case .regions, .instruments, .stripEffects, .mixing: continue
      }
      digests[part] = hash.digest()
    }
    self.init(digests)
  }

  /// SHA-256 of the text that names what computes a stage.
  static func digest(ofRenderer renderer: String) -> [UInt8] {
    var hash = StreamingSHA256()
    hash.update(renderer)
    return hash.digest()
  }

  var rendererDigest: [UInt8]? { zip(RenderPart.allCases, parts).first { $0.0 == .renderer }?.1 }

  /// SHA-256 of all parts.
  var digest: [UInt8] { combined(parts).digest() }

  /// The digest, as 64 hexadecimal digits.
  var name: String { combined(parts).hexDigest() }

  /// The parts that differ.
  func differences(from other: RenderKey) -> Set<RenderPart> {
    Set(zip(RenderPart.allCases, zip(parts, other.parts)).filter { $1.0 != $1.1 }.map(\.0))
  }
}

/// The parts of a key.
public enum RenderPart: String, CaseIterable, Hashable, Sendable {
  case soundFont
  /// Bank and program.
  case preset
  case sampleRate
  /// Notes and controllers with their frames, and so regions and tempo.
  case events
  /// The instrument's gain, reverb and chorus.
  case effects
  /// What computes: FluidSynth, its libraries, and the kind of processor; for a strip, our own arithmetic.
  case renderer
  /// For a strip: its regions, those of the strips that it adds or listens to, and their files.
  case regions
  /// For a strip: the instruments that it plays, adds or listens to.
  case instruments
  /// For a strip: its effects, and those of the strips that it adds or listens to.
  case stripEffects
  /// For a strip: gains, pans and connections before its last effect.
  case mixing

  static let ofInstruments: [RenderPart] = [.soundFont, .preset, .sampleRate, .events, .effects, .renderer]
}

extension StreamingSHA256 {
  mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// Sixteen bytes for each event, little-endian: frame, status, data bytes, 0, `bytesIndex`.
  fileprivate mutating func update(_ events: [MIDIEvent]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 * min(events.count, 4_096))
    for (number, event) in events.enumerated() {
      withUnsafeBytes(of: event.frame.number.littleEndian) { bytes += $0 }
      bytes.append(event.status)
      bytes.append(event.data1)
      bytes.append(event.data2)
      bytes.append(0)
      withUnsafeBytes(of: event.bytesIndex.littleEndian) { bytes += $0 }
      if bytes.count >= 16 * 4_096 || number == events.count - 1 {
        bytes.withUnsafeBytes { update($0) }
        bytes.removeAll(keepingCapacity: true)
      }
    }
  }
}

extension InstrumentPlan {
  /// SHA-256 of the plan except for the SoundFont's path: 64 hexadecimal digits.
  public var digest: String {
    let key = RenderKey(self, renderer: "")
    let parts = zip(RenderPart.allCases, key.parts).filter { RenderPart.ofInstruments.contains($0.0) }.map(\.1)
    return combined(parts).hexDigest()
  }
}

private func combined(_ parts: [[UInt8]]) -> StreamingSHA256 {
  var hash = StreamingSHA256()
  for part in parts { part.withUnsafeBytes { hash.update($0) } }
  return hash
}
