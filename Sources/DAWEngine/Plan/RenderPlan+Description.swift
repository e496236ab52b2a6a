import DAWTime

/// For debugging: a line for each step, with its buffers, and a line for each of its regions.
extension RenderPlan: CustomStringConvertible {
  public var description: String {
    let leads = leads
    var lines = ["plan: \(sampleRate.hertz) Hz, \(endFrame) frames, \(bufferCount) buffers, \(steps.count) steps"]
    for (number, step) in steps.enumerated() {
      let lead = leads[number] > 0 ? " (\(leads[number]) frames ahead)" : ""
      lines.append("\(number): \(describe(step))\(lead)")
      if case .sumRegions(_, let range, _, _) = step {
        for region in regions[range] { lines.append("   " + describe(region)) }
      }
    }
    for port in ports {
      let place = port.destination.map { " to \($0)" } ?? ""
      lines.append("port '\(port.name)'\(place): \(port.isMuted ? "muted" : "\(port.events.count) events")")
    }
    return lines.joined(separator: "\n")
  }

  private func describe(_ step: Step) -> String {
    switch step {
    case .clear(let strip, let buffer): "\(strip): b\(buffer) = 0"
    case .sumRegions(let strip, let range, let buffer, let width):
      "\(strip): b\(buffer) = sum of \(range.count) regions, \(width)"
    case .monitor(let strip, let monitoring, let buffer, let width):
      "\(strip): b\(buffer) or the input, \(width), \(monitoring)"
    case .playInstrument(let strip, let index, let buffer): "\(strip): b\(buffer) = \(describe(instruments[index]))"
    case .shape(let strip, let buffer, let width, let shape): "\(strip): b\(buffer) shaped, \(width), \(shape)"
    case .widen(let strip, let buffer, let gain): "\(strip): b\(buffer) made stereo, × \(gain)"
    case .insert(let strip, let index, let buffer, let width, let key):
      "\(strip): b\(buffer) through \(describe(inserts[index])), \(width)" + (key.map { ", key b\($0)" } ?? "")
    case .delay(let id, let source, let target, _, let frameCount):
      "\(id): b\(target) = b\(source), \(frameCount) frames later"
    case .mix(let connection, let source, let width, let target, let left, let right):
      "\(connection): b\(target) += b\(source) (\(width)) × left \(left), right \(right)"
    case .output(let strip, let buffer, let left, let right):
      "\(strip): output b\(buffer) × left \(left), right \(right)"
    }
  }

  private func describe(_ region: PlannedRegion) -> String {
    let source = sources[region.source]
    let name = source.path.split(separator: "/").last.map(String.init) ?? source.path
    let first = region.fileFrame(at: region.frames.lowerBound)
    return "\(region.frames.lowerBound)..<\(region.frames.upperBound): '\(name)' from \(first), \(region.channels), "
      + "× \(region.gain)"
  }

  private func describe(_ insert: PlannedInsert) -> String {
    let values = zip(insert.setup.kind.parameterNames, insert.parameters).map { "\($0) \($1)" }
    return "\(insert.setup.kind) \(insert.effectID) × \(insert.share) [\(values.joined(separator: ", "))]"
  }

  private func describe(_ instrument: PlannedInstrument) -> String {
    let plan = instrument.plan
    let name = plan.soundFontPath.split(separator: "/").last.map(String.init) ?? plan.soundFontPath
    return "'\(name)' bank \(plan.bank) program \(plan.program), \(plan.events.count) events"
  }
}

extension StripID: CustomStringConvertible {
  public var description: String { "\(trackID)\(part)" }
}

extension StripID.Part: CustomStringConvertible {
  public var description: String {
    switch self {
    case .main: ""
    case .postFader: " post"
    case .directOut: " direct"
    case .key(let effect): " key of \(effect)"
    }
  }
}

extension DelayID: CustomStringConvertible {
  public var description: String {
    switch self {
    case .connection(let connection): "\(connection)"
    case .end(let strip): "\(strip)"
    }
  }
}

extension PlannedInsert.Parameter: CustomStringConvertible {
  public var description: String {
    switch self {
    case .constant(let value): "\(value)"
    case .curve(let curve): "(\(curve))"
    case .passage(let from, let to): "from \(from) to \(to)"
    }
  }
}

extension Connection: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .output: "\(source) → \(target)"
    case .send(let id): "\(source) → \(target) by send \(id)"
    case .key: "\(source) → \(target)"
    }
  }
}

extension StripShape: CustomStringConvertible {
  public var description: String {
    func side(_ inverts: Bool) -> String { (inverts ? "-" : "") + trim.description }
    return "left × \(side(invertsLeft)), right × \(side(invertsRight))" + (stereoWidth.map { ", width \($0)" } ?? "")
  }
}

extension ChannelWidth: CustomStringConvertible {
  public var description: String { self == .mono ? "mono" : "stereo" }
}

/// Channels as people count them, from 1.
extension ChannelPick: CustomStringConvertible {
  public var description: String {
    switch self {
    case .one(let channel): "channel \(channel + 1)"
    case .two(let left, let right): "channels \(left + 1) and \(right + 1)"
    case .mean(let left, let right): "mean of channels \(left + 1) and \(right + 1)"
    }
  }
}
