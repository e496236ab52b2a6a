// swift-tools-version:6.1
import PackageDescription

/// Programs that measure parts of `daw` which no command shows alone. `Benchmarks/run` builds and runs them.
let package = Package(
  name: "daw-benchmarks",
  dependencies: [.package(name: "daw", path: "..")],
  targets: [
    .executableTarget(name: "CompileBench", dependencies: [.product(name: "DAWParts", package: "daw")])
  ],
  swiftLanguageModes: [.v6]
)
