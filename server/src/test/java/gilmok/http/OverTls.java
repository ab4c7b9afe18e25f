package gilmok.http;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for an edge and clients that trust it, as HTTP/2 is spoken over TLS alone. */
final class OverTls {
  private final Path certificate;
  private final Path key;
  private final SSLContext trust;

  /** Makes the certificate in files of this folder. */
  OverTls(Path folder) throws Exception {
    X509Bundle bundle = bundle("edge");
    certificate = folder.resolve("tls.crt");
    key = folder.resolve("tls.key");
    Files.writeString(key, bundle.getPrivateKeyPEM());
    Files.writeString(certificate, bundle.getCertificatePathPEM());
    trust = trusting(bundle);
  }

  static X509Bundle bundle(String name) throws Exception {
    return bundle(name, Instant.now().plus(Duration.ofDays(30)));
  }

  static X509Bundle bundle(String name, Instant end) throws Exception {
    return new CertificateBuilder()
        .subject("CN=" + name)
        .notAfter(end)
        .setIsCertificateAuthority(true)
        .addSanIpAddress("127.0.0.1")
        .buildSelfSigned();
  }

  static SSLContext trusting(X509Bundle... bundles) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < bundles.length; i++) {
      store.setCertificateEntry("c" + i, bundles[i].getCertificate());
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  EdgeConfig serve(EdgeConfig settable) {
    return settable.tls(certificate, key);
  }

  /** A client of HTTP/2. */
  HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(trust).build();
  }

  /** A bare connection whose handshake has agreed on HTTP/2. */
  Wire wire(Edge edge) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            trust
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), edge.listener.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return new Wire(socket);
  }
}
