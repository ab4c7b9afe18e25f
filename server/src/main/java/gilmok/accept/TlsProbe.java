package gilmok.accept;

import gilmok.doctor.CertificateDoctor;
import gilmok.doctor.Check;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Shakes hands with a server as an engine's client does, and says what its certificate is worth:
 * whether Java trusts it, whether it names the host, the protocol, how long it is valid. Sends
 * nothing else. Immutable; blocks.
 *
 * @param host the name that clients have
 * @param timeout for connecting, and for each answer
 */
record TlsProbe(String host, int port, Duration timeout) {
  private static final String MEND =
      "give the server a certificate that names this host, with the chain to its authority; and"
          + " start Java with that authority (-Djavax.net.ssl.trustStore=…), if it is the fleet's"
          + " own";

  /** Takes whatever comes, and keeps it: to see what it is. It is never used to send anything. */
  private static final class Seeing extends X509ExtendedTrustManager {
    private List<X509Certificate> chain = List.of();

    @Override
    public void checkServerTrusted(X509Certificate[] shown, String type, Socket socket) {
      chain = List.of(shown);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] shown, String type, SSLEngine engine) {
      chain = List.of(shown);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] shown, String type) {
      chain = List.of(shown);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] shown, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] shown, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] shown, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /**
   * Looks.
   *
   * @param isJavas whether the engine's client trusts whom Java trusts; else the client has a trust
   *     of its own, and only what the certificate is like is looked at
   */
  List<Check> look(boolean isJavas) {
    List<Check> checks = new ArrayList<>();
    String where = host + ":" + port;
    if (isJavas) {
      try {
        SSLSession session = shaken(SSLContext.getDefault(), true);
        checks.add(
            Check.of(
                "TLS",
                "%s, %s: trusted, and names %s"
                    .formatted(session.getProtocol(), session.getCipherSuite(), host),
                true,
                ""));
      } catch (IOException | GeneralSecurityException refused) {
        checks.add(Check.of("TLS", where + ": " + told(refused), false, MEND));
      }
    }
    Seeing seeing = new Seeing();
    try {
      SSLContext any = SSLContext.getInstance("TLS");
      any.init(null, new TrustManager[] {seeing}, new SecureRandom());
      SSLSession session = shaken(any, false);
      if (!isJavas) {
        checks.add(
            Check.of("TLS", session.getProtocol() + ", " + session.getCipherSuite(), true, ""));
      }
    } catch (IOException | GeneralSecurityException refused) {
      // A server that wants a certificate of ours has shown its own before it refuses.
      if (seeing.chain.isEmpty()) {
        checks.add(Check.unknown("certificate", where + ": " + told(refused), ""));
      }
    }
    if (!seeing.chain.isEmpty()) {
      checks.add(
          CertificateDoctor.ends(
              "certificate", seeing.chain, Instant.now(), "renew it: clients refuse it then"));
    }
    return checks;
  }

  private SSLSession shaken(SSLContext context, boolean namesHost) throws IOException {
    int millis = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(host, port), millis);
      plain.setSoTimeout(millis);
      try (SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
        if (namesHost) {
          SSLParameters parameters = socket.getSSLParameters();
          parameters.setEndpointIdentificationAlgorithm("HTTPS");
          socket.setSSLParameters(parameters);
        }
        socket.startHandshake();
        return socket.getSession();
      }
    }
  }

  /** The deepest reason, as Java's own message names only the path. */
  private static String told(Exception refused) {
    Throwable deepest = refused;
    for (int i = 0; i < 10 && deepest.getCause() != null; i++) {
      deepest = deepest.getCause();
    }
    return deepest.getClass().getSimpleName() + ": " + deepest.getMessage();
  }
}
