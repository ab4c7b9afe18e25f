package gilmok.lab.start;

import gilmok.warmup.Http2Client;
import gilmok.warmup.LoopbackClient;
import gilmok.warmup.ScriptClient;
import gilmok.warmup.shadow.OwnCertificate;
import java.io.IOException;

/** The protocol by which first requests are sent. */
enum Protocol {
  PLAIN("HTTP/1.1"),
  TLS("HTTP/1.1 over TLS"),
  HTTP2("HTTP/2 over TLS");

  private final String label;

  Protocol(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  boolean isSecured() {
    return this != PLAIN;
  }

  /** Opens a connection to a port of this machine. */
  ScriptClient connect(int port, LabCertificate certificate) throws IOException {
    return switch (this) {
      case PLAIN -> new LoopbackClient(port); // whatever the certificate
      case TLS ->
          new LoopbackClient(
              port, OwnCertificate.trusted(certificate.certificate()).getSocketFactory());
      case HTTP2 -> new Http2Client(port, OwnCertificate.trusted(certificate.certificate()));
    };
  }
}
