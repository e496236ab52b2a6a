extension Project {
  public func mark(_ id: TimelineMark.ID) -> TimelineMark? {
    switch id {
    case .tempo(let id): tempoMarks[id].map(TimelineMark.tempo)
    case .meter(let id): meterMarks[id].map(TimelineMark.meter)
    case .key(let id): keyMarks[id].map(TimelineMark.key)
    case .marker(let id): markers[id].map(TimelineMark.marker)
    }
  }

  public func rival(of mark: TimelineMark) -> TimelineMark.ID? {
    switch mark {
    case .tempo(let mark):
      tempoMarks.values.first { $0.position == mark.position && $0.id != mark.id }.map { .tempo($0.id) }
    case .meter(let mark): meterMarks.values.first { $0.bar == mark.bar && $0.id != mark.id }.map { .meter($0.id) }
    case .key(let mark):
      keyMarks.values.first { $0.position == mark.position && $0.id != mark.id }.map { .key($0.id) }
    case .marker: nil
    }
  }

  public mutating func insert(_ mark: TimelineMark) {
    switch mark {
    case .tempo(let mark): tempoMarks[mark.id] = mark
    case .meter(let mark): meterMarks[mark.id] = mark
    case .key(let mark): keyMarks[mark.id] = mark
    case .marker(let mark): markers[mark.id] = mark
    }
  }
  public mutating func update(_ mark: TimelineMark) { insert(mark) }
  public mutating func delete(_ mark: TimelineMark.ID) {
    switch mark {
    case .tempo(let id): tempoMarks[id] = nil
    case .meter(let id): meterMarks[id] = nil
    case .key(let id): keyMarks[id] = nil
    case .marker(let id): markers[id] = nil
    }
  }
}
