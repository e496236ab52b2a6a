// swift-tools-version:6.1
import PackageDescription

/// `DAW_STRICT=1` is what `Scripts/check` builds with: a warning is an error, and a module is compiled as a whole, which takes
/// half the time where nothing is built yet.
let isStrict = Context.environment["DAW_STRICT"] == "1"
let strictSettings: [SwiftSetting] = [
  .unsafeFlags(["-warnings-as-errors"]),
  .unsafeFlags(["-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug)),
]

let swiftSettings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny")]
  + (isStrict ? strictSettings : [])

/// For test support: it makes and compares sound sample by sample, which takes ten times as long without optimisation.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Level by level, lowest first; a target may import only what its line names.
// `Scripts/imports` refuses any other import, so that this list is the truth.
let package = Package(
  name: "daw",
  products: [
    .executable(name: "daw", targets: ["daw"]),
    // For `Benchmarks/`, which measures them apart from the command.
    .library(name: "DAWParts", targets: ["DAWTime", "DAWModel", "DAWMedia", "DAWEngine", "DAWCompiler"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // Level 0: system libraries, and the C shims that open others at run time.
    .target(name: "CLazyLibrary"),
    .target(
      name: "CSndFile", dependencies: ["CLazyLibrary"],
      // So that libsndfile calls our mpg123_new (CSndFile.c): an executable exports nothing by itself.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=mpg123_new"])]),
    .target(name: "CSoxr", dependencies: ["CLazyLibrary"]),
    .target(name: "CEBUR128", dependencies: ["CLazyLibrary"]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLiteSession", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CFluidSynth"),
    .target(name: "CJack"),
    .target(name: "CALSA"),
    .target(name: "CArguments"),
    .target(name: "CChildProcess"),
    .target(name: "CFileSystem"),
    .target(name: "CRealtimeCheck"),
    // Optimised in debug builds, too: so the tests are of the code that plays.
    .target(name: "CSampleCodec", cSettings: [.unsafeFlags(["-O2"])]),

    // Level 0: errors, time, and what the audio thread shares with others.
    .target(name: "DAWErrors", swiftSettings: swiftSettings),
    .target(name: "DAWTime", swiftSettings: swiftSettings),
    .target(name: "DAWRealtime", dependencies: ["CRealtimeCheck"], swiftSettings: swiftSettings),

    // Level 1: the model, and audio files.
    .target(name: "DAWModel", dependencies: ["DAWTime", "DAWErrors"], swiftSettings: swiftSettings),
    .target(
      name: "DAWMedia",
      dependencies: [
        "DAWTime", "DAWErrors", "CChildProcess", "CFileSystem", "CSndFile", "CSoxr", "CEBUR128", "CNettle",
        "CSampleCodec",
        "CZlib",
      ],
      swiftSettings: swiftSettings),

    // Level 2: the project on disk; the engine, which cannot see the model; instruments.
    .target(
      name: "DAWStore",
      dependencies: [
        "DAWModel", "DAWTime", "DAWErrors", "CFileSystem", "CNettle", "CSQLiteSession", "CZlib",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "DAWEngine",
      dependencies: ["DAWTime", "DAWErrors", "DAWRealtime", "DAWMedia", "CSampleCodec", "CRealtimeCheck"],
      swiftSettings: swiftSettings),
    .target(
      name: "DAWInstruments",
      dependencies: ["DAWTime", "DAWErrors", "DAWEngine", "DAWRealtime", "CFluidSynth", "CSoxr"],
      swiftSettings: swiftSettings),

    // Level 3: from model to plan; what runs around the engine.
    .target(
      name: "DAWCompiler", dependencies: ["DAWTime", "DAWModel", "DAWEngine"], swiftSettings: swiftSettings),
    .target(
      name: "DAWBounce",
      dependencies: ["DAWTime", "DAWErrors", "DAWMedia", "DAWEngine", "DAWInstruments", "CSampleCodec"],
      swiftSettings: swiftSettings),
    .target(
      name: "DAWJack", dependencies: ["DAWTime", "DAWErrors", "DAWRealtime", "DAWEngine", "CJack"],
      swiftSettings: swiftSettings),
    .target(
      name: "DAWSequencer", dependencies: ["DAWTime", "DAWErrors", "DAWEngine", "CALSA"], swiftSettings: swiftSettings),

    // Level 3: an open project.
    .target(
      name: "DAWProject",
      dependencies: ["DAWTime", "DAWErrors", "DAWModel", "DAWMedia", "DAWStore", "DAWInstruments", "CArguments"],
      swiftSettings: swiftSettings),

    // Level 4: what is done with an open project.
    .target(
      name: "DAWInterchange", dependencies: ["DAWTime", "DAWErrors", "DAWModel", "DAWMedia", "DAWStore", "DAWProject"],
      swiftSettings: swiftSettings),
    .target(
      name: "DAWRender",
      dependencies: [
        "DAWTime", "DAWErrors", "DAWModel", "DAWMedia", "DAWStore", "DAWEngine", "DAWInstruments", "DAWCompiler",
        "DAWBounce", "DAWProject",
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "DAWPlay",
      dependencies: [
        "DAWTime", "DAWErrors", "DAWModel", "DAWMedia", "DAWStore", "DAWEngine", "DAWInstruments", "DAWCompiler",
        "DAWJack", "DAWSequencer", "DAWProject",
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "DAWWork",
      dependencies: ["DAWTime", "DAWErrors", "DAWModel", "DAWMedia", "DAWStore", "DAWProject", "DAWInterchange"],
      swiftSettings: swiftSettings),

    // Level 5: the command line.
    .target(
      name: "DAWCommands",
      dependencies: [
        "DAWProject", "DAWInterchange", "DAWRender", "DAWPlay", "DAWWork", "DAWErrors", "DAWMedia", "DAWModel",
        "DAWTime",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swiftSettings),

    // Level 6: the program.
    .executableTarget(name: "daw", dependencies: ["DAWCommands"], swiftSettings: swiftSettings),

    // Measures the live engine; `Benchmarks/run` builds it.
    .executableTarget(
      name: "LiveBenchmark", dependencies: ["DAWTime", "DAWModel", "DAWMedia", "DAWEngine", "DAWCompiler"],
      path: "Benchmarks/Live",
      swiftSettings: swiftSettings),

    // For test targets only.
    .target(
      name: "DAWTestSupport",
      dependencies: ["DAWTime", "DAWModel", "DAWMedia", "DAWRealtime", "DAWEngine", "DAWJack", "CJack"],
      swiftSettings: swiftSettings + optimised),
    // A JACK library of a test's own, without a server.
    .target(name: "CFakeJack", dependencies: ["CJack"], path: "Tests/FakeJack"),
    .testTarget(name: "DAWErrorsTests", dependencies: ["DAWErrors"], swiftSettings: swiftSettings),
    .testTarget(name: "DAWTimeTests", dependencies: ["DAWTime", "DAWTestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWRealtimeTests", dependencies: ["DAWRealtime", "DAWTestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWModelTests", dependencies: ["DAWModel", "DAWTime", "DAWTestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWMediaTests", dependencies: ["DAWMedia", "DAWTime", "CSndFile", "DAWTestSupport"],
      swiftSettings: swiftSettings, linkerSettings: [.linkedLibrary("sndfile")]),
    .testTarget(
      name: "DAWStoreTests",
      dependencies: [
        "DAWStore", "DAWModel", "DAWTime", "DAWTestSupport", "CSQLiteSession",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWEngineTests",
      dependencies: ["DAWEngine", "CSampleCodec", "DAWRealtime", "DAWMedia", "DAWTime", "DAWTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWInstrumentsTests", dependencies: ["DAWInstruments", "DAWEngine", "DAWTime", "DAWTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWCompilerTests",
      dependencies: ["DAWCompiler", "DAWModel", "DAWEngine", "DAWMedia", "DAWTime", "DAWTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWBounceTests",
      dependencies: [
        "DAWBounce", "DAWEngine", "DAWInstruments", "DAWRealtime", "DAWMedia", "DAWTime", "DAWTestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWJackTests",
      dependencies: ["DAWJack", "CJack", "CFakeJack", "DAWEngine", "DAWRealtime", "DAWTime", "DAWTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWSequencerTests", dependencies: ["DAWSequencer", "DAWEngine", "DAWTime", "CALSA", "DAWTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWProjectTests",
      dependencies: ["DAWProject", "DAWErrors", "DAWStore", "DAWModel", "DAWMedia", "DAWTime", "DAWTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWInterchangeTests",
      dependencies: [
        "DAWInterchange", "DAWProject", "DAWErrors", "DAWStore", "DAWModel", "DAWMedia", "DAWTime", "DAWTestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWRenderTests",
      dependencies: ["DAWRender", "DAWErrors", "DAWModel", "DAWMedia", "DAWEngine", "DAWTime", "DAWTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWPlayTests",
      dependencies: [
        "DAWPlay", "DAWProject", "DAWErrors", "DAWMedia", "DAWModel", "DAWEngine", "DAWTime", "DAWTestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DAWWorkTests",
      dependencies: [
        "DAWWork", "DAWProject", "DAWErrors", "DAWStore", "DAWModel", "DAWMedia", "DAWTime", "DAWTestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "IntegrationTests", dependencies: ["DAWTime", "DAWModel", "DAWMedia", "DAWTestSupport"],
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)

// Under a sanitizer, the tests of what plays live and what these need: the rest would be built for nothing.
if Context.environment["DAW_SANITIZER"] != nil {
  var kept: Set = ["DAWEngineTests", "DAWRealtimeTests", "DAWJackTests"]
  for target in package.targets.reversed() where kept.contains(target.name) {
    for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
  package.dependencies = []
}
