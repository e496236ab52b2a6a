import Testing

@testable import DAWModel

@Suite("Kinds of effects and their parameters")
struct EffectCatalogueTests {
  private static let all = EffectKind.allCases.flatMap { kind in kind.parameters.map { (kind, $0) } }

  @Test("A parameter is found by its name, and its default is accepted")
  func parameters() {
    for (kind, parameter) in Self.all {
      #expect(kind.parameter(parameter.name) == parameter)
      #expect(kind.parameterIndex(parameter.name).map { kind.parameters[$0] } == parameter)
      #expect(parameter.accepts(parameter.defaultValue), "\(kind) \(parameter.name)")
      #expect(parameter.accepts(parameter.range.upperBound) && parameter.accepts(parameter.range.lowerBound))
      for value in [
        .nan, .infinity, -.infinity, parameter.range.upperBound.nextUp, parameter.range.lowerBound.nextDown,
      ] {
        #expect(!parameter.accepts(value), "\(kind) \(parameter.name) \(value)")
      }
      #expect(!parameter.abstract.isEmpty && parameter.name != "bypass")
    }
    #expect(EffectKind.eq.parameters.count == 40)
    #expect(EffectKind.eq.parameter("band9.gain") == nil)
    #expect(EffectKind.eq.parameter("band2.gain")?.defaultValue == 0)
    #expect(EffectKind.eq.parameter("band2.frequency")?.defaultValue == 120)
    #expect(EffectKind.compressor.parameter("threshold")?.defaultValue == -18)
    #expect(EffectKind.delay.parameter("lowCut")?.accepts(10) == false)
  }

  @Test("What a value is written as is read as that value, for defaults and ends of ranges")
  func roundTrip() {
    for (kind, parameter) in Self.all {
      for value in [parameter.range.lowerBound, parameter.range.upperBound, parameter.defaultValue] {
        let read = parameter.value(of: parameter.text(of: value).replacing(" quarter notes", with: ""))
        // Irrational defaults are written with three decimals.
        #expect(read.map { abs($0 - value) < 0.001 } == true, "\(kind) \(parameter.name) \(value)")
      }
    }
  }

  @Test(
    "Values are read with their units, or without",
    arguments: [
      (EffectKind.eq, "band1.gain", "-3", -3.0), (.eq, "band1.gain", "-3dB", -3), (.eq, "band1.gain", "+1.5 dB", 1.5),
      (.eq, "band1.frequency", "250", 250), (.eq, "band1.frequency", "250Hz", 250),
      (.eq, "band1.frequency", "2.5k", 2500), (.eq, "band1.frequency", "2.5 kHz", 2500),
      (.eq, "band1.type", "highShelf", 3), (.eq, "band1.type", "LOWPASS", 4), (.eq, "band1.type", "off", 0),
      (.eq, "band1.slope", "24", 1), (.eq, "band1.slope", "24dB", 1), (.compressor, "attack", "0.02s", 20),
      (.compressor, "attack", "12ms", 12), (.compressor, "ratio", "4:1", 4), (.compressor, "detector", "RMS", 1),
      (.compressor, "link", "off", 0), (.compressor, "keyHighPass", "off", 0), (.compressor, "mix", "35%", 0.35),
      (.limiter, "ceiling", "-1dBTP", -1), (.delay, "noteLength", "1/8d", 0.75), (.delay, "noteLength", "1/8", 0.5),
      (.delay, "noteLength", "1/4t", 2.0 / 3), (.delay, "noteLength", "3/4", 3), (.delay, "noteLength", "off", 0),
      (.reverb, "decay", "900ms", 0.9), (.reverb, "decay", "2s", 2), (.delay, "lowCut", "-0", 0),
    ])
  func texts(kind: EffectKind, name: String, text: String, value: Double) throws {
    let parameter = try #require(kind.parameter(name))
    let read = try #require(parameter.value(of: text))
    #expect(read == value && (read.sign == .plus || read != 0))
  }

  @Test("What is no value is not read")
  func noValues() throws {
    for (kind, parameter) in Self.all {
      for text in ["", "-", "x", "1e3", "nan", "inf", "-inf", "1..2", "٣", "1/0", "0/8", "1/8x", "--3", "5dBs", "bel"] {
        #expect(parameter.value(of: text) == nil, "\(kind) \(parameter.name) '\(text)'")
      }
    }
    #expect(EffectKind.eq.parameter("band1.frequency")?.value(of: "3dB") == nil)
  }

  @Test("Values are written as users read them")
  func written() {
    func text(_ kind: EffectKind, _ name: String, _ value: Double) -> String? {
      kind.parameter(name)?.text(of: value)
    }
    #expect(text(.eq, "band1.gain", -3) == "-3 dB")
    #expect(text(.eq, "band1.q", 0.5.squareRoot()) == "0.707")
    #expect(text(.eq, "band1.type", 2) == "lowShelf")
    #expect(text(.compressor, "ratio", 4) == "4:1")
    #expect(text(.compressor, "keyHighPass", 0) == "off")
    #expect(text(.compressor, "link", 1) == "on")
    #expect(text(.delay, "noteLength", 0.75) == "1/8d")
    #expect(text(.delay, "noteLength", 2.0 / 3) == "1/4t")
    #expect(text(.delay, "noteLength", 3) == "1/2d")
    #expect(text(.delay, "noteLength", 5) == "5 quarter notes")
    #expect(text(.reverb, "decay", 2) == "2 s")
  }

  @Test("A band that is off becomes a bell when it is set, unless its type is set too")
  func bands() {
    var values = EffectValues(.eq)
    values.assign([("band2.gain", -3), ("band3.slope", 1), ("band4.gain", 2), ("band4.type", 0)])
    #expect(values["band2.type"] == 1 && values["band2.gain"] == -3)
    #expect(values["band3.type"] == 0 && values["band4.type"] == 0)
    values.assign([("band2.type", 4)])
    values.assign([("band2.q", 1)])
    #expect(values["band2.type"] == 4)
    #expect(values.changed.map(\.parameter.name).prefix(3) == ["band2.type", "band2.gain", "band2.q"])
  }

  @Test("A delay goes by its time again when that is set")
  func delayTime() {
    var values = EffectValues(.delay)
    values.assign([("noteLength", 0.75)])
    #expect(values["noteLength"] == 0.75)
    values.assign([("feedback", 0.5)])
    #expect(values["noteLength"] == 0.75)
    values.assign([("time", 300)])
    #expect(values["noteLength"] == 0 && values["time"] == 300)
  }

  @Test(
    "Every kind has three factory presets or more, all of whose settings can be read", arguments: EffectKind.allCases)
  func presets(kind: EffectKind) {
    let presets = EffectPreset.factory.filter { $0.kind == kind }
    #expect(presets.count >= 3)
    #expect(Set(presets.map(\.name)).count == presets.count)
    #expect(EffectPreset.factory.count == EffectPreset.written.count)
    for preset in presets {
      #expect(!preset.values.changed.isEmpty && !preset.abstract.isEmpty, "\(preset.name)")
      #expect(zip(kind.parameters, preset.values.values).allSatisfy { $0.accepts($1) }, "\(preset.name)")
    }
  }
}
