import Foundation

/// Whether everything that tests need is installed, as by `Scripts/test` and `.ci/run`: then a missing program is a
/// failure, and no test is skipped.
public let isComplete = ProcessInfo.processInfo.environment["DAW_COMPLETE"] == "1"
