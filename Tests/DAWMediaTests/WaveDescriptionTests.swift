import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

@Suite struct WaveDescriptionTests {
  @Test("The fields of bext and iXML are where EBU Tech 3285 has them", arguments: [false, true])
  func fields(isRF64: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.wav")
    let format = AudioFileFormat(
      container: isRF64 ? .rf64 : .wave, encoding: .int16, sampleRate: SampleRate(hertz: 48_000), channelCount: 1)
    let description = WaveDescription(
      description: String(repeating: "x", count: 300), originator: "daw ü", timeReference: 0x1_0000_0002, xml: "<ab/>",
      markers: [WaveMarker(frame: 0, name: "Intro"), WaveMarker(frame: 1_000, name: "Réprise")])
    let sink = try audioFileSink(at: Place(path: path), format: format, description: description) {
      Loudness(integrated: -23.456, range: 7.5, truePeak: 0.5, maximumMomentary: -18.25, maximumShortTerm: nil)
    }
    let samples = Signal.noise(seed: 4, frames: 1_001, channels: 1)
    try sink.append(interleaved: samples, frameCount: 1_001)
    try sink.finish()

    let bytes = try folder.bytes(of: "a.wav")
    let start = try #require(place(of: "bext", in: bytes)) + 8
    #expect(Array(bytes[start..<start + 256]) == Array(repeating: UInt8(ascii: "x"), count: 256))
    #expect(bytes.text(at: start + 256) == "daw " && bytes[start + 260] == UInt8(ascii: "?"))
    #expect(bytes[start + 261..<start + 338].allSatisfy { $0 == 0 })
    #expect(bytes.uint64(at: start + 338) == 0x1_0000_0002)
    #expect(bytes.uint16(at: start + 346) == 2)
    #expect(
      [412, 414, 416, 418, 420].map { Int16(bitPattern: bytes.uint16(at: start + $0)) }
        == [-2_346, 750, -602, -1_825, 0x7fff])
    #expect(bytes.text(at: start + 602) == "A=PC")
    let xml = try #require(place(of: "iXML", in: bytes))
    #expect(bytes.uint32(at: xml + 4) == 6 && bytes.text(at: xml + 8) == "<ab/")

    let cue = try #require(place(of: "cue ", in: bytes)) + 8
    #expect([0, 4, 8, 28, 32].map { bytes.uint32(at: cue + $0) } == [2, 1, 0, 2, 1_000])
    #expect(bytes.text(at: cue + 12) == "data" && bytes.uint32(at: cue + 48) == 1_000)
    let labels = try #require(place(of: "adtl", in: bytes))
    #expect(bytes.text(at: labels + 4) == "labl" && bytes.uint32(at: labels + 12) == 1)
    #expect(Array(bytes[labels + 16..<labels + 22]) == Array("Intro\0".utf8))
    let second = labels + 12 + Int(bytes.uint32(at: labels + 8))
    #expect(bytes.text(at: second) == "labl" && bytes.uint32(at: second + 8) == 2)
    #expect(Array(bytes[second + 12..<second + 21]) == Array("Réprise\0".utf8))

    let facts = try AudioFileFacts.read(path: path)
    #expect(facts.frames.frames == 1_001 && facts.warnings.isEmpty)
    #expect(LibSndFile.read(path)?.frames == 1_001)
  }

  @Test("A file has its markers, however many, and its sound behind them", arguments: [SampleEncoding.int24, .float32])
  func manyMarkers(encoding: SampleEncoding) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.wav")
    let frames = 2_000
    let markers = (0..<frames).map { number in
      WaveMarker(frame: Int64(number), name: "\(number) " + String(repeating: "x", count: 250))
    }
    let sink = try audioFileSink(
      at: Place(path: path),
      format: AudioFileFormat(encoding: encoding, sampleRate: SampleRate(hertz: 48_000), channelCount: 2),
      description: WaveDescription(hasExtension: false, markers: markers))
    let samples = Signal.noise(seed: 4, frames: frames, channels: 2)
    let buffer = PlanarBuffer(channelCount: 2, capacity: frames)
    buffer.fill(interleaved: samples, frameCount: frames)
    try sink.append(planar: buffer.channels, frameCount: frames)
    try sink.finish()

    let bytes = try folder.bytes(of: "a.wav")
    let cue = try #require(place(of: "cue ", in: bytes)) + 8
    #expect(bytes.uint32(at: cue) == UInt32(frames))
    let labels = try #require(place(of: "LIST", in: bytes))
    #expect(bytes.uint32(at: labels + 4) > UInt32(250 * frames))
    let reader = try AudioFileReader(path: path)
    #expect(reader.facts.frames.frames == Int64(frames) && reader.facts.warnings.isEmpty)
    var read = [Float](repeating: 0, count: 2 * frames)
    let count = try reader.read(at: 0, count: frames, into: &read)
    #expect(count == frames)
    #expect(zip(read, samples).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  private func place(of chunk: String, in bytes: [UInt8]) -> Int? {
    (12..<bytes.count - 4).first { bytes.text(at: $0) == chunk }
  }
}
