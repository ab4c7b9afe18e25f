package gilmok.sinks.firehose;

import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * There are no credentials; the message lists the places that were searched and what each lacked.
 */
final class NoCredentials extends SdkClientException {
  private static final long serialVersionUID = 1L;
  private static final int REASON_CHARS_MAX = 800;

  private final String reason;

  /**
   * @param reason for the operator and without secrets; cut to a readable length
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

  /** The places that were searched, and what each lacked. */
  String reason() {
    return reason;
  }
}
