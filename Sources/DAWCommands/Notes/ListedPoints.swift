import DAWErrors
import DAWModel
import DAWProject
import DAWTime

/// Points that were read from the lines of a file.
struct ListedPoints {
  let drafts: [PointDraft]
  /// The line of each.
  let lines: LineNumbers

  /// Adds them to a lane.
  /// - Throws: `Failure`, which names the line of a point that breaks a rule.
  func add(to reference: LaneReference, in context: EditContext) throws -> (LaneEntry, [LanePoint]) {
    do {
      return try context.editor.addPoints(reference, drafts)
    } catch {
      let failure = Failure(error)
      throw (try? naming(failure, reference, context.editor)) ?? failure
    }
  }

  /// The failure with the number of the line that holds the point which it is about.
  private func naming(_ failure: Failure, _ reference: LaneReference, _ editor: Editor) throws -> Failure {
    let target = try editor.view.laneTarget(reference)
    var named = failure
    switch failure.code {
    case Rule.pointIsOnce.rawValue:
      guard let (index, earlier, place) = try secondPoint(of: target, editor) else { return failure }
      let other = earlier.map { "line \(lines.numbers[$0])" } ?? "the lane"
      named.message =
        "\(lines.beginning(index))There is a second point at \(place), where \(other) has one. Nothing was changed."
      if earlier != nil {
        named.hint =
          "A lane has one point at a position: leave one of the lines out. For a jump, let the point before it hold."
      }
    case Rule.pointValue.rawValue, Rule.pointShape.rawValue:
      guard let index = try refusedPoint(of: target, editor) else { return failure }
      named.message = lines.beginning(index) + failure.message
    default: break
    }
    return named
  }

  /// The first point at a position that is taken.
  /// - Returns: its index; that of the earlier point there, or `nil` where the lane has it; and the position, in words.
  private func secondPoint(
    of target: LaneTarget, _ editor: Editor
  ) throws -> (index: Int, earlier: Int?, place: String)? {
    let view = editor.view
    let (map, lane) = (try view.tempoMap(), try view.lane(of: target))
    let isAbsolute = lane?.timeBase == .absolute
    let taken = Set(try lane.map { try view.points(of: $0.id).map(\.position) } ?? [])
    var indices: [Int64: Int] = [:]
    for (index, draft) in drafts.enumerated() {
      let ticks = map.ticks(at: draft.position)
      let number = isAbsolute ? map.flicks(at: draft.position).flicks : ticks.ticks
      let earlier = indices.updateValue(index, forKey: number)
      if earlier != nil || taken.contains(number) { return (index, earlier, Wording.place(ticks, in: map)) }
    }
    return nil
  }

  /// The first point whose value or shape its lane does not take: of texts that are no value, before all others.
  private func refusedPoint(of target: LaneTarget, _ editor: Editor) throws -> Int? {
    var effect: Effect?
    if case .effect(let id) = target.owner { effect = try editor.view.row(id) }
    let parameter = target.parameter
    let numbers = drafts.map { Self.number($0.value, of: parameter, effect) }
    if let index = numbers.firstIndex(of: nil) { return index }
    return drafts.indices.first { index in
      guard let number = numbers[index], parameter.accepts(number) else { return true }
      return parameter.isStepped && (number != number.rounded() || (drafts[index].shape ?? .hold) != .hold)
    }
  }

  /// The number that a value is; `nil` if the text is no value of this parameter.
  private static func number(_ value: PointValue, of parameter: LaneParameter, _ effect: Effect?) -> Double? {
    let text: String
    switch value {
    case .number(let number): return number
    case .typed(let typed): text = typed.lowercased()
    }
    if parameter.isStepped { return ["on": 1, "off": 0][text] }
    if let effect { return effect.kind.parameter(parameter.name)?.value(of: text) }
    return !parameter.unit.isEmpty && text.hasSuffix("db") ? Double(text.dropLast(2)) : nil
  }
}
