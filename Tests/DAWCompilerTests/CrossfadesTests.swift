import DAWEngine
import DAWModel
import DAWTime
import Testing

@testable import DAWCompiler

/// Which regions a crossfading track takes for one.
@Suite struct CrossfadesTests {
  private static let second: Int64 = FlickCount.perSecond

  /// A part of a file that lies at its own place in it, from second to second.
  private struct Part {
    var from: Int64
    var to: Int64
    var gain = 0.0
    var file: Int64 = 2
    var channels = ChannelSelection.all
    /// Seconds by which it lies later than that.
    var delay: Int64 = 0
    var fadeIn = Fade.none
    var fadeOut = Fade.none
  }

  /// The numbers of the parts that are one, in order of time.
  private func wholes(_ parts: [Part]) throws -> [[Int]] {
    var song = Song()
    let track = song.addTrack(channels: 2)
    for part in parts {
      song.addRegion(
        track, start: (part.from + part.delay) * Self.second, offset: part.from * Self.second,
        duration: (part.to - part.from) * Self.second, file: part.file, channels: part.channels, gain: part.gain)
      song.regions[song.regions.count - 1].fadeIn = part.fadeIn
      song.regions[song.regions.count - 1].fadeOut = part.fadeOut
    }
    let plan = try song.plan()
    try #require(plan.regions.count == parts.count)
    return Crossfades.wholes(song.regions, plan.regions[...]).map { $0.parts }
  }

  @Test func partsThatGoOnWithoutAGapAreOneInWhateverOrderTheyWereMade() throws {
    #expect(try wholes([Part(from: 0, to: 2), Part(from: 2, to: 3), Part(from: 3, to: 5)]) == [[0, 1, 2]])
    #expect(try wholes([Part(from: 3, to: 5), Part(from: 0, to: 2), Part(from: 2, to: 3)]) == [[1, 2, 0]])
    #expect(try wholes([Part(from: 0, to: 2), Part(from: 3, to: 5)]) == [[0], [1]])
    #expect(try wholes([Part(from: 0, to: 3), Part(from: 2, to: 5)]) == [[0], [1]])
  }

  @Test func partsOfAnotherFileOrOfOtherChannelsOrAtAnotherPlaceOfItAreOthers() throws {
    let first = Part(from: 0, to: 2, channels: .left)
    #expect(try wholes([first, Part(from: 2, to: 4, channels: .left)]) == [[0, 1]])
    for other in [
      Part(from: 2, to: 4, file: 1), Part(from: 2, to: 4, channels: .right), Part(from: 2, to: 4, channels: .mix),
      Part(from: 1, to: 4, channels: .left, delay: 1), Part(from: 3, to: 4, channels: .left, delay: -1),
    ] { #expect(try wholes([first, other]) == [[0], [1]], "\(other)") }
  }

  /// A fade that a split has cut goes on in the next part.
  @Test func anEdgeWithAFadeOfItsOwnIsNoneOfASplit() throws {
    let (whole, half) = (FlickCount(flicks: Self.second), FlickCount(flicks: Self.second / 2))
    for (fade, isOne) in [(Fade(length: half), false), (Fade(length: whole, cut: half), true)] {
      let expected = isOne ? [[0, 1]] : [[0], [1]]
      #expect(try wholes([Part(from: 0, to: 2, fadeOut: fade), Part(from: 2, to: 4)]) == expected, "\(fade)")
      #expect(try wholes([Part(from: 0, to: 2), Part(from: 2, to: 4, fadeIn: fade)]) == expected, "\(fade)")
      // The other edges do not matter.
      #expect(
        try wholes([Part(from: 0, to: 2, fadeIn: fade), Part(from: 2, to: 4, fadeOut: fade)]) == [[0, 1]], "\(fade)")
    }
  }

  @Test func ofSeveralThatEndAtAPlaceEachIsContinuedOnce() throws {
    let (first, second) = (Part(from: 0, to: 3), Part(from: 1, to: 3))
    let next = Part(from: 3, to: 4)
    #expect(try wholes([first, second, next, next]) == [[0, 2], [1, 3]])
    #expect(try wholes([first, second, next, next, next]) == [[0, 2], [1, 3], [4]])
    // And on behind that.
    let last = Part(from: 4, to: 6)
    #expect(try wholes([first, second, next, next, last, last]) == [[0, 2, 4], [1, 3, 5]])
  }

  @Test func aPartContinuesTheOneOfItsGainAndElseTheFirst() throws {
    func ended(_ gains: Double...) -> [Part] {
      gains.enumerated().map { Part(from: Int64($0.offset), to: 3, gain: $0.element) }
    }
    func begun(_ gains: Double...) -> [Part] { gains.map { Part(from: 3, to: 4, gain: $0) } }
    #expect(try wholes(ended(0, -6) + begun(-6, 0)) == [[0, 3], [1, 2]])
    #expect(try wholes(ended(0, -6) + begun(-12)) == [[0, 2], [1]])
    // The one of its gain has been continued already.
    #expect(try wholes(ended(0, -6) + begun(-12, 0)) == [[0, 2], [1, 3]])
    #expect(try wholes(ended(0, -6) + begun(-12, -12)) == [[0, 2], [1, 3]])
  }
}
