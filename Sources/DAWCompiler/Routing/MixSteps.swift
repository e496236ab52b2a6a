import DAWEngine
import DAWModel
import DAWTime

/// Puts strips into processing order, assigns buffers, and writes the steps.
///
/// It walks back from the master, depth first. A bus adds outputs in order of their source's id, then sends in order of
/// their own; what it adds is processed before. A strip is processed once, right before its first reader, and every bus
/// whose turn it is adds it at once, so that few buffers are in use at a time.
struct MixSteps {
  private(set) var steps: [Step] = []
  private(set) var bufferCount = 0
  private(set) var directOuts: [DirectOut] = []
  private(set) var inserts: [PlannedInsert] = []

  private(set) var lanes: LaneCurves

  private let routing: Routing
  private let panLaw: PanLaw
  private let contents: [StripContent]
  private let hasDirectOut: [Bool]
  private let effects: [StripEffects]
  /// For each strip, the effects that listen to it, and the strips that have them.
  private var listeners: [[(effectID: Int64, strip: Int)]]
  /// For each effect with a side chain, the buffer of what it listens to.
  private var keyBuffers: [Int64: Int] = [:]
  /// For each bus, the audible connections from strips that sound, in the order in which they are added.
  private var incoming: [[Int]]
  private var outgoing: [[Int]]

  /// For each bus, how many of `incoming` are added.
  private var addedCounts: [Int]
  /// For each strip, how many connections still have to read it.
  private var readerCounts: [Int]
  private var buffers: [Int]
  private var directBuffers: [Int]
  /// The buffers behind the faders of the strips that have effects there.
  private var postBuffers: [Int]
  private var isDone: [Bool]
  private var freeBuffers: [Int] = []

  private static let none = -1

  /// - Parameters:
  ///   - contents: for each of the routing's strips.
  ///   - hasDirectOut: for each strip.
  ///   - effects: for each strip.
  init(
    _ routing: Routing, contents: [StripContent], hasDirectOut: [Bool], effects: [StripEffects], panLaw: PanLaw,
    lanes: LaneCurves
  ) {
    self.routing = routing
    self.effects = effects
    self.lanes = lanes
    self.panLaw = panLaw
    self.contents = contents
    let count = routing.strips.count
    let isSounding = Self.soundingStrips(routing, contents)
    self.hasDirectOut = (0..<count).map { hasDirectOut[$0] && isSounding[$0] }
    func isUsed(_ index: Int) -> Bool {
      let connection = routing.connections[index]
      return connection.isAudible && isSounding[connection.source] && contents[connection.target] != .nothing
    }
    incoming = routing.incoming.map { $0.filter(isUsed) }
    outgoing = routing.outgoing.map { $0.filter(isUsed) }
    addedCounts = Array(repeating: 0, count: count)
    readerCounts = outgoing.map(\.count)
    buffers = Array(repeating: Self.none, count: count)
    directBuffers = buffers
    postBuffers = buffers
    listeners = Array(repeating: [], count: count)
    for (strip, effects) in effects.enumerated() where strip == routing.master || isSounding[strip] {
      for use in effects.preFader + effects.postFader {
        guard let key = use.key, use.isKeyOpen, isSounding[key] else { continue }
        listeners[key].append((use.insert.effectID, strip))
      }
    }
    isDone = Array(repeating: false, count: count)
  }

  /// Those with sound of their own, and the buses that these reach.
  private static func soundingStrips(_ routing: Routing, _ contents: [StripContent]) -> [Bool] {
    var isSounding = contents.map { $0 != .nothing && $0 != .sum }
    var queue = contents.indices.filter { isSounding[$0] }
    var next = 0
    while next < queue.count {
      for index in routing.outgoing[queue[next]] where routing.connections[index].isAudible {
        let target = routing.connections[index].target
        guard !isSounding[target], contents[target] == .sum else { continue }
        isSounding[target] = true
        queue.append(target)
      }
      next += 1
    }
    return isSounding
  }

  // MARK: Order

  /// Writes all steps.
  /// - Throws: `CompileError.cycle`.
  mutating func write() throws(CompileError) {
    begin(routing.master)
    try process(routing.master)
    for strip in hasDirectOut.indices where hasDirectOut[strip] && !isDone[strip] { try process(strip) }
    writeOutput()
    directOuts.sort { $0.trackID < $1.trackID }
  }

  /// Processes a strip, and before it all that it adds.
  private mutating func process(_ last: Int) throws(CompileError) {
    var path = [last]
    var isOnPath = Set(path)
    while let strip = path.last {
      if addedCounts[strip] < incoming[strip].count {
        let source = routing.connections[incoming[strip][addedCounts[strip]]].source
        guard isOnPath.insert(source).inserted else { throw .cycle(routing.strips[source].id) }
        path.append(source)
      } else if let key = effects[strip].keys.first(where: { !isDone[$0] && isListenedTo($0) }) {
        guard isOnPath.insert(key).inserted else { throw .cycle(routing.strips[key].id) }
        path.append(key)
      } else {
        if strip != routing.master { finish(strip) }
        isOnPath.remove(strip)
        path.removeLast()
      }
    }
  }

  private func isListenedTo(_ strip: Int) -> Bool { !listeners[strip].isEmpty }

  /// Fills a strip's buffer, and adds it wherever it is next.
  private mutating func finish(_ strip: Int) {
    for index in outgoing[strip] where isNext(index) { begin(routing.connections[index].target) }
    let id = stripID(strip)
    if buffers[strip] == Self.none { buffers[strip] = newBuffer() }
    if hasDirectOut[strip] { addDirectOut(of: strip) }
    switch contents[strip] {
    case .regions(let range, let width, let monitoring):
      steps.append(.sumRegions(id, range, into: buffers[strip], width: width))
      if monitoring != .off {
        steps.append(.monitor(id, PlannedMonitoring(monitoring), buffer: buffers[strip], width: width))
      }
    case .instrument(let index): steps.append(.playInstrument(id, index, into: buffers[strip]))
    case .nothing, .sum: break
    }
    addShape(of: strip)
    addEffects(before: strip)
    isDone[strip] = true
    addKeys(listeningTo: strip)
    let fader = fader(of: strip)
    addEffects(behind: strip, fader)
    if hasDirectOut[strip] {
      if postBuffers[strip] == Self.none {
        addMix(Connection(from: id, to: directID(strip)), of: strip, into: directBuffers[strip], fader)
      } else {
        addMix(
          Connection(from: postID(strip), to: directID(strip)), postBuffers[strip], .stereo, into: directBuffers[strip],
          (.unity, .unity))
      }
    }
    for index in outgoing[strip] { addWhatIsNext(to: routing.connections[index].target) }
    if outgoing[strip].isEmpty { free(strip) }
  }

  private mutating func free(_ strip: Int) {
    freeBuffers.append(buffers[strip])
    if postBuffers[strip] != Self.none { freeBuffers.append(postBuffers[strip]) }
  }

  // MARK: Effects

  private func width(of strip: Int) -> ChannelWidth { effects[strip].width(from: contents[strip].width) }

  /// Runs a strip's effects before its fader.
  private mutating func addEffects(before strip: Int) {
    let effects = effects[strip]
    for (place, use) in effects.preFader.enumerated() {
      if place == effects.widening { makeStereo(strip) }
      let isWide = effects.widening.map { place >= $0 } ?? false
      add(use, to: stripID(strip), buffers[strip], isWide ? .stereo : contents[strip].width)
    }
    if effects.widening == effects.preFader.count { makeStereo(strip) }
  }

  private mutating func makeStereo(_ strip: Int) {
    guard contents[strip].width == .mono else { return }
    let gain = Float(PanGains(mono: .centre, law: panLaw).left)
    steps.append(.widen(stripID(strip), buffer: buffers[strip], gain: gain))
  }

  /// Runs those behind its fader, in a buffer of their own.
  private mutating func addEffects(behind strip: Int, _ fader: (left: Control, right: Control)) {
    guard effects[strip].hasPostFader else { return }
    postBuffers[strip] = newBuffer()
    steps.append(.clear(postID(strip), buffer: postBuffers[strip]))
    addMix(Connection(from: stripID(strip), to: postID(strip)), of: strip, into: postBuffers[strip], fader)
    for use in effects[strip].postFader { add(use, to: postID(strip), postBuffers[strip], .stereo) }
  }

  private mutating func add(_ use: StripEffects.Use, to strip: StripID, _ buffer: Int, _ width: ChannelWidth) {
    var key: Int?
    if use.key != nil {
      // What it listens to may be silent.
      key = keyBuffers[use.insert.effectID] ?? beginKey(use.insert.effectID, strip.trackID)
    }
    steps.append(.insert(strip, inserts.count, buffer: buffer, width: width, key: key))
    inserts.append(use.insert)
    if let key { freeBuffers.append(key) }
  }

  private mutating func beginKey(_ effectID: Int64, _ trackID: Int64) -> Int {
    let buffer = newBuffer()
    steps.append(.clear(StripID(trackID, .key(effectID)), buffer: buffer))
    return buffer
  }

  /// Copies a strip for the effects that listen to it: the signal before its fader.
  private mutating func addKeys(listeningTo strip: Int) {
    // A muted strip is not heard in a side chain either.
    let gate = Control(factors(of: MixGain(1).times(routing.gates[strip])))
    for listener in listeners[strip] {
      let trackID = routing.strips[listener.strip].id.rawValue
      let buffer = beginKey(listener.effectID, trackID)
      keyBuffers[listener.effectID] = buffer
      addMix(
        Connection(from: stripID(strip), to: StripID(trackID, .key(listener.effectID)), .key(listener.effectID)),
        of: strip, into: buffer, (gate, gate))
    }
  }

  private func isNext(_ index: Int) -> Bool {
    let target = routing.connections[index].target
    return incoming[target][addedCounts[target]] == index
  }

  /// Adds connections to a bus, in its order, up to the first whose source is not processed yet.
  private mutating func addWhatIsNext(to target: Int) {
    while addedCounts[target] < incoming[target].count {
      let connection = routing.connections[incoming[target][addedCounts[target]]]
      let source = connection.source
      guard isDone[source] else { return }
      if connection.kind == .output, hasDirectOut[source] {
        steps.append(
          .mix(
            Connection(from: directID(source), to: stripID(target)), directBuffers[source], width: .stereo,
            into: buffers[target], left: .unity, right: .unity))
      } else if postBuffers[source] != Self.none, !connection.isPreFader {
        addMix(
          Connection(from: postID(source), to: stripID(target), connection.kind), postBuffers[source], .stereo,
          into: buffers[target],
          gains(connection.level, connection.ownPan ?? .centre, connection.ownPanLane, .stereo))
      } else {
        addMix(
          Connection(from: stripID(source), to: stripID(target), connection.kind), of: source, into: buffers[target],
          gains(connection.gain, connection.pan, connection.panLane, width(of: source)))
      }
      addedCounts[target] += 1
      readerCounts[source] -= 1
      if readerCounts[source] == 0 { free(source) }
    }
  }

  // MARK: Steps and buffers

  /// Gives a bus its buffer, unless it has one.
  private mutating func begin(_ strip: Int) {
    guard buffers[strip] == Self.none else { return }
    buffers[strip] = newBuffer()
    steps.append(.clear(stripID(strip), buffer: buffers[strip]))
  }

  /// Its buffer is read after the last step, so it is never used again.
  private mutating func addDirectOut(of strip: Int) {
    directBuffers[strip] = newBuffer()
    steps.append(.clear(directID(strip), buffer: directBuffers[strip]))
    directOuts.append(DirectOut(trackID: routing.strips[strip].id.rawValue, buffer: directBuffers[strip]))
  }

  private mutating func addShape(of strip: Int) {
    let width = contents[strip].width
    let track = routing.strips[strip]
    let trim = routing.lanes.lane("trim", of: track.id).map { Control.product([.curve(lanes.curve(of: $0))]) }
    let stereoWidth = routing.lanes.lane("stereoWidth", of: track.id).map {
      Control.product([.curve(lanes.curve(of: $0))])
    }
    guard let shape = StripShape(track, width, trim: trim, stereoWidth: stereoWidth) else { return }
    steps.append(.shape(stripID(strip), buffer: buffers[strip], width: width, shape))
  }

  private mutating func addMix(
    _ connection: Connection, of strip: Int, into target: Int, _ gains: (left: Control, right: Control)
  ) {
    addMix(connection, buffers[strip], width(of: strip), into: target, gains)
  }

  private mutating func addMix(
    _ connection: Connection, _ source: Int, _ width: ChannelWidth, into target: Int,
    _ gains: (left: Control, right: Control)
  ) {
    steps.append(
      .mix(
        connection, source, width: width, into: target, left: gains.left, right: gains.right))
  }

  private mutating func writeOutput() {
    let master = routing.master
    let fader = effects[master].endsBeforeFader ? (left: Control.unity, right: .unity) : fader(of: master)
    if !incoming[master].isEmpty {
      addShape(of: master)
      addEffects(before: master)
      addEffects(behind: master, fader)
    }
    guard postBuffers[master] == Self.none else {
      steps.append(.output(postID(master), buffer: postBuffers[master], left: .unity, right: .unity))
      return
    }
    steps.append(.output(stripID(master), buffer: buffers[master], left: fader.left, right: fader.right))
  }

  private mutating func fader(of strip: Int) -> (left: Control, right: Control) {
    let track = routing.strips[strip]
    let lane = routing.lanes.lane("pan", of: track.id)
    return gains(routing.faders[strip], track.pan, lane, width(of: strip))
  }

  /// One coefficient for each side: `Float(gain × pan)`, the product in `Double`.
  /// - Parameter width: of the signal that is panned.
  private mutating func gains(
    _ gain: MixGain, _ pan: Pan, _ panLane: MovingLane?, _ width: ChannelWidth
  ) -> (left: Control, right: Control) {
    let factors = factors(of: gain)
    if let panLane {
      let (left, right) = lanes.sides(of: panLane, width: width)
      return (Control(factors + [.curve(left)]), Control(factors + [.curve(right)]))
    }
    let sides = width == .mono ? PanGains(mono: pan, law: panLaw) : PanGains(stereo: pan)
    return (Control(factors + [.constant(sides.left)]), Control(factors + [.constant(sides.right)]))
  }

  private mutating func factors(of gain: MixGain) -> [Control.Factor] {
    var factors: [Control.Factor] = []
    for factor in gain.factors {
      switch factor {
      case .constant(let gain): factors.append(.constant(gain))
      case .lane(let id): factors.append(.curve(lanes.curve(of: id)))
      }
    }
    return factors
  }

  private mutating func newBuffer() -> Int {
    if let buffer = freeBuffers.popLast() { return buffer }
    bufferCount += 1
    return bufferCount - 1
  }

  private func stripID(_ strip: Int) -> StripID { StripID(routing.strips[strip].id.rawValue) }

  private func postID(_ strip: Int) -> StripID { StripID(routing.strips[strip].id.rawValue, .postFader) }

  private func directID(_ strip: Int) -> StripID { StripID(routing.strips[strip].id.rawValue, .directOut) }
}

/// What fills a strip's buffer.
enum StripContent: Hashable, Sendable {
  /// It is silent, or nothing hears it.
  case nothing
  /// `RenderPlan.regions` of this range, and in their place the track's input when it is heard.
  case regions(Range<Int>, ChannelWidth, InputMonitoring)
  /// Index into `RenderPlan.instruments`.
  case instrument(Int)
  /// The connections into a bus or the master.
  case sum

  var width: ChannelWidth { if case .regions(_, let width, _) = self { width } else { .stereo } }
}

extension StripShape {
  /// `nil` if the strip's settings change nothing.
  /// - Parameters:
  ///   - trim: in place of the set one.
  ///   - stereoWidth: likewise.
  init?(_ track: Track, _ width: ChannelWidth, trim: Control?, stereoWidth: Control?) {
    let (left, right): (Bool, Bool) =
      switch track.invertedSides {
      case .none: (false, false)
      case .left: (true, false)
      case .right: (false, width == .stereo)
      case .both: (true, width == .stereo)
      }
    let setWidth = track.stereoWidth == 1 ? nil : Control.constant(Float(track.stereoWidth))
    let shape = StripShape(
      trim: trim ?? .constant(Float(ReproducibleMath.gain(decibels: track.trim.decibels))), invertsLeft: left,
      invertsRight: right, stereoWidth: width == .mono ? nil : stereoWidth ?? setWidth)
    guard shape != StripShape() else { return nil }
    self = shape
  }
}
