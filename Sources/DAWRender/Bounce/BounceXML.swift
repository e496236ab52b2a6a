import DAWMedia

/// The iXML chunk of a file.
/// - SeeAlso: the iXML specification, version 1.61, gallery.co.uk/ixml.
struct BounceXML {
  var project: String
  /// The name of a stem's track.
  var track: String?
  var note: String?
  var format: AudioFileFormat
  /// Where the first frame lies on the timeline, in frames of the file.
  var timeReference: Int64

  var text: String {
    let rate = format.sampleRate.hertz
    let channels = (1...format.channelCount).map { channel in
      let side = format.channelCount == 2 ? (channel == 1 ? " L" : " R") : ""
      return "<TRACK><CHANNEL_INDEX>\(channel)</CHANNEL_INDEX><INTERLEAVE_INDEX>\(channel)</INTERLEAVE_INDEX>"
        + "<NAME>\(Self.escaped((track ?? project) + side))</NAME></TRACK>"
    }
    let parts = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<BWFXML>", "<IXML_VERSION>1.61</IXML_VERSION>",
      "<PROJECT>\(Self.escaped(project))</PROJECT>", note.map { "<NOTE>\(Self.escaped($0))</NOTE>" },
      "<SPEED><MASTER_SPEED>\(rate)/1</MASTER_SPEED><CURRENT_SPEED>\(rate)/1</CURRENT_SPEED>"
        + "<FILE_SAMPLE_RATE>\(rate)</FILE_SAMPLE_RATE><AUDIO_BIT_DEPTH>\(format.encoding.bitsPerSample)</AUDIO_BIT_DEPTH>"
        + "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>\(timeReference >> 32)</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>"
        + "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>\(timeReference & 0xffff_ffff)</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>"
        + "<TIMESTAMP_SAMPLE_RATE>\(rate)</TIMESTAMP_SAMPLE_RATE></SPEED>",
      "<TRACK_LIST><TRACK_COUNT>\(format.channelCount)</TRACK_COUNT>\(channels.joined())</TRACK_LIST>", "</BWFXML>",
    ]
    return parts.compactMap { $0 }.joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
