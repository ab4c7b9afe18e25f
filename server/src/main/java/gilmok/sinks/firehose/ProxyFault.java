package gilmok.sinks.firehose;

import java.io.IOException;

/** A proxy that is not there, or does not let a call through; its text names it. */
final class ProxyFault extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason in few words, without anything secret
   */
  ProxyFault(ProxyRules.Via via, String reason) {
    super(via + ": " + reason);
  }
}
