/// A plan's steps as strips and the connections between them.
struct StripGraph {
  struct Strip {
    var id: StripID
    var fill: Fill
    /// The width of the signal that leaves it.
    var width: ChannelWidth
    /// The width of the signal that fills it.
    var filledWidth: ChannelWidth
    /// When its input is heard in place of what fills it.
    var monitoring = InputMonitoring.off
    var shape: StripShape?
    /// The gain by which it is made stereo.
    var widening: Float?
    /// In the order in which they run.
    var inserts: [Insert] = []
    /// In the order in which they are added.
    var inputs: [Input] = []
  }

  enum Fill: Equatable {
    case connections
    case regions(Range<Int>)
    case instrument(Int)
  }

  struct Insert {
    var insert: PlannedInsert
    /// The strip that its side chain listens to.
    var key: Int?
  }

  struct Input {
    /// Index into `strips`.
    var source: Int
    var connection: Connection
    var left: Control
    var right: Control
  }

  private(set) var strips: [Strip] = []
  /// The strip that is output, and its gains.
  private(set) var master: Int?
  private(set) var masterGains: (left: Control, right: Control) = (.unity, .unity)
  /// For each of the plan's direct outs, its strip; in their order.
  private(set) var directOuts: [(trackID: Int64, strip: Int)] = []

  init(_ plan: RenderPlan) {
    /// The strip in each buffer.
    var held = [Int](repeating: -1, count: plan.bufferCount)
    for step in plan.steps {
      switch step {
      case .clear(let id, let buffer): held[buffer] = add(id, .connections, .stereo)
      case .sumRegions(let id, let range, let buffer, let width):
        held[buffer] = add(id, .regions(range), width)
      case .playInstrument(let id, let index, let buffer):
        held[buffer] = add(id, .instrument(index), .stereo)
      case .monitor(_, let monitoring, let buffer, _): strips[held[buffer]].monitoring = monitoring.to
      case .shape(_, let buffer, _, let shape): strips[held[buffer]].shape = shape
      case .widen(_, let buffer, let gain):
        strips[held[buffer]].widening = gain
        strips[held[buffer]].width = .stereo
      case .insert(_, let index, let buffer, _, let key):
        strips[held[buffer]].inserts.append(Insert(insert: plan.inserts[index], key: key.map { held[$0] }))
      case .delay(_, let source, let target, _, _): held[target] = held[source]
      case .mix(let connection, let source, _, let target, let left, let right):
        strips[held[target]].inputs.append(
          Input(source: held[source], connection: connection, left: left, right: right))
      case .output(_, let buffer, let left, let right):
        master = held[buffer]
        masterGains = (left, right)
      }
    }
    directOuts = plan.directOuts.map { ($0.trackID, held[$0.buffer]) }
  }

  private mutating func add(_ id: StripID, _ fill: Fill, _ width: ChannelWidth) -> Int {
    strips.append(Strip(id: id, fill: fill, width: width, filledWidth: width))
    return strips.count - 1
  }
}
