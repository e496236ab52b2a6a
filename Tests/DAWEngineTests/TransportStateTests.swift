import Foundation
import Testing

@testable import DAWEngine

@Test func theDrawnStateMachineIsTheOneThatRuns() throws {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let page = try String(contentsOf: root.appending(path: "Documentation/RealTimeRules.md"), encoding: .utf8)
  let drawing = try #require(page.split(separator: "```mermaid\n").last?.split(separator: "```").first)
  var drawn: Set<String> = []
  for line in drawing.split(separator: "\n") where line.contains(": ") {
    drawn.insert(line.trimmingCharacters(in: .whitespaces))
  }
  var running: Set<String> = []
  for state in TransportState.allCases {
    for event in TransportEvent.allCases where state.after(event) != state {
      running.insert("\(state) --> \(state.after(event)): \(event)")
    }
  }
  #expect(drawn == running)
}

@Test func everyStateIsReachedAndLeft() {
  var reached: [TransportState] = [.stopped]
  var index = 0
  while index < reached.count {
    for event in TransportEvent.allCases {
      let next = reached[index].after(event)
      if !reached.contains(where: { $0 == next }) { reached.append(next) }
    }
    index += 1
  }
  for state in TransportState.allCases {
    #expect(reached.contains { $0 == state })
    #expect(TransportEvent.allCases.contains { state.after($0) != state })
  }
}
