package gilmok.sinks.firehose;

import java.io.IOException;

/** A proxy cannot be reached or refuses a call; the message names the proxy. */
final class ProxyFault extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason a few words without secrets
   */
  ProxyFault(ProxyRules.Via via, String reason) {
    super(via + ": " + reason);
  }
}
