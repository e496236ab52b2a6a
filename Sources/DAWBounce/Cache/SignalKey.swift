import DAWEngine
import DAWMedia

/// Digests of all that a strip's frames depend on: what it plays or adds, and so all that is upstream, and what it does
/// with that. The strip's fader behind its effects, names, ids, the numbers of buffers and streams, and other strips
/// are not part of it.
///
/// The digests form a Merkle tree: a step's are made of those of the buffers that it works on.
struct SignalKey: Hashable, Sendable {
  /// Of the parts in `categories`, in that order. Empty where nothing of the kind is upstream.
  fileprivate var digests: [[UInt8]]
  /// Steps that have made it, so that each effect has its place among them.
  fileprivate var stepCount = 0

  static let categories: [RenderPart] = [.regions, .instruments, .stripEffects, .mixing]

  /// - Parameter renderer: what computes it, as text.
  func renderKey(sampleRate: Int, renderer: String) -> RenderKey {
    var digests = Dictionary(uniqueKeysWithValues: zip(Self.categories, self.digests).map { ($0, digest($1)) })
    digests[.sampleRate] = digest(Array("\(sampleRate)".utf8))
    digests[.renderer] = RenderKey.digest(ofRenderer: renderer)
    return RenderKey(digests)
  }
}

/// The keys of what a plan's buffers hold.
struct SignalKeys {
  /// For each step, that of the buffer that it makes or changes: `nil` if it is not known, or the step makes none.
  private(set) var ofSteps: [SignalKey?] = []
  /// For each buffer, after the last step.
  private(set) var ofBuffers: [SignalKey?]

  /// - Parameters:
  ///   - streams: of what the plan plays behind its instruments.
  ///   - restored: of the buffers that it finds filled.
  ///   - instruments: the digest of each instrument.
  ///   - content: of a source; `nil` if it is not known.
  init(
    _ plan: RenderPlan, streams: [SignalKey?], restored: [Int: SignalKey], instruments: [[UInt8]],
    content: (AudioSource) -> SourceContent?
  ) {
    ofBuffers = (0..<plan.bufferCount).map { restored[$0] }
    for step in plan.steps {
      switch step {
      case .clear(_, let buffer):
        set(buffer, .making("clear"))
      case .sumRegions(_, let range, let buffer, let width):
        set(buffer, Self.regions(plan, range, width, content))
      case .playInstrument(_, let index, let buffer):
        if index < plan.instruments.count {
          set(buffer, .making("instrument", .instruments) { $0.add(instruments[index]) })
        } else {
          set(buffer, streams[index - plan.instruments.count])
        }
      // What comes in is not known beforehand.
      case .monitor(_, _, let buffer, _): set(buffer, nil)
      case .shape(_, let buffer, let width, let shape):
        change(buffer, "shape", .mixing) {
          $0.add(width)
          $0.add(shape)
        }
      case .widen(_, let buffer, let gain): change(buffer, "widen", .mixing) { $0.add(gain) }
      case .insert(_, let index, let buffer, let width, let key):
        if let key { add(key, to: buffer, "key") }
        change(buffer, "insert", .stripEffects) {
          $0.add(width)
          $0.add(key != nil)
          $0.add(plan.inserts[index])
        }
      case .delay(_, let source, let target, let width, let frameCount):
        set(target, ofBuffers[source], isCounted: false)
        change(target, "delay", .mixing) {
          $0.add(width)
          $0.add(frameCount)
        }
      case .mix(_, let source, let width, let target, let left, let right):
        add(source, to: target, "mix")
        change(target, "gains", .mixing) {
          $0.add(width)
          $0.add(left)
          $0.add(right)
        }
      case .output: ofSteps.append(nil)
      }
    }
  }

  private static func regions(
    _ plan: RenderPlan, _ range: Range<Int>, _ width: ChannelWidth, _ content: (AudioSource) -> SourceContent?
  ) -> SignalKey? {
    var bytes = KeyBytes()
    bytes.add(width)
    for region in plan.regions[range] {
      guard let content = content(plan.sources[region.source]) else { return nil }
      bytes.add(region, content: content)
    }
    return .making("regions", .regions) { $0.add(bytes.bytes) }
  }

  private mutating func set(_ buffer: Int, _ key: SignalKey?, isCounted: Bool = true) {
    ofBuffers[buffer] = key
    if isCounted { ofSteps.append(key) }
  }

  /// A step that works on a buffer.
  private mutating func change(
    _ buffer: Int, _ name: String, _ category: RenderPart, _ content: (inout KeyBytes) -> Void
  ) {
    ofBuffers[buffer]?.change(name, category, content)
    ofSteps.append(ofBuffers[buffer])
  }

  /// Another buffer comes in.
  private mutating func add(_ source: Int, to target: Int, _ name: String) {
    guard let key = ofBuffers[source] else { return ofBuffers[target] = nil }
    ofBuffers[target]?.add(key, name)
  }
}

extension SignalKey {
  /// What a step fills a buffer with.
  fileprivate static func making(
    _ name: String, _ category: RenderPart = .mixing, _ content: (inout KeyBytes) -> Void = { _ in }
  ) -> SignalKey {
    var key = SignalKey(digests: categories.map { _ in [] })
    key.change("source", .mixing) { $0.add(name) }
    if category != .mixing { key.change(name, category, content) }
    return key
  }

  fileprivate mutating func change(_ name: String, _ category: RenderPart, _ content: (inout KeyBytes) -> Void) {
    guard let place = Self.categories.firstIndex(of: category) else { return }
    var bytes = KeyBytes()
    bytes.add(digests[place])
    bytes.add(name)
    bytes.add(stepCount)
    content(&bytes)
    digests[place] = digest(bytes.bytes)
    stepCount += 1
  }

  fileprivate mutating func add(_ other: SignalKey, _ name: String) {
    for place in digests.indices where !digests[place].isEmpty || !other.digests[place].isEmpty {
      var bytes = KeyBytes()
      bytes.add(digests[place])
      bytes.add(name)
      bytes.add(stepCount)
      bytes.add(other.digests[place])
      digests[place] = digest(bytes.bytes)
    }
    stepCount += 1
  }
}

private func digest(_ bytes: [UInt8]) -> [UInt8] {
  var hash = StreamingSHA256()
  bytes.withUnsafeBytes { hash.update($0) }
  return hash.digest()
}
