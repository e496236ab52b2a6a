import Foundation

/// Whether all that the tests use has been installed, as `Scripts/test` and `.ci/run` see to: then what is missing is a failure
/// and not skipped.
public let isComplete = ProcessInfo.processInfo.environment["DAW_COMPLETE"] == "1"
