package gilmok.sinks.firehose;

import software.amazon.awssdk.core.exception.SdkClientException;

/** There are no credentials; its message says where they were looked for, and what was missing. */
final class NoCredentials extends SdkClientException {
  private static final long serialVersionUID = 1L;
  private static final int REASON_CHARS_MAX = 800;

  private final String reason;

  /**
   * @param reason for people and without anything secret; cut to a bearable length
   */
  NoCredentials(String reason) {
    super(SdkClientException.builder().message("no credentials: " + cut(reason)));
    this.reason = cut(reason);
  }

  private static String cut(String reason) {
    return reason.length() <= REASON_CHARS_MAX
        ? reason
        : reason.substring(0, REASON_CHARS_MAX - 1) + "…";
  }

  /** What was looked for and was missing. */
  String reason() {
    return reason;
  }
}
