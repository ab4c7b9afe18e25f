package gilmok.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate and key a listener shows, read from PEM files and read again when these change. A
 * pair that cannot be used leaves the old one in force and is reported once. It watches on a
 * virtual thread of its own.
 */
final class TlsFiles implements AutoCloseable {
  private static final Logger LOG = System.getLogger(TlsFiles.class.getName());

  private final Path certificate;
  private final Path key;
  private final Duration interval;
  private byte[] certificateBytes;
  private byte[] keyBytes;
  private @Nullable String reported;
  private @Nullable Thread watcher;

  /**
   * Reads the files.
   *
   * @throws IOException when they cannot be read or are no pair
   */
  TlsFiles(HttpConfig config) throws IOException {
    this.certificate = Objects.requireNonNull(config.certificate());
    this.key = Objects.requireNonNull(config.key());
    this.interval = config.tlsReloadInterval();
    this.certificateBytes = Files.readAllBytes(certificate);
    this.keyBytes = Files.readAllBytes(key);
    try {
      check(pair());
    } catch (Exception e) {
      throw new IOException("tls.certificate and tls.key: " + e.getMessage(), e);
    }
  }

  void configure(HttpServerOptions options) {
    options
        .setSsl(true)
        .setUseAlpn(true)
        .setEnabledSecureTransportProtocols(protocols())
        .setKeyCertOptions(pair());
  }

  /** Begins to look for changes, for servers that listen. */
  void watch(List<HttpServer> servers) {
    watcher =
        Thread.ofVirtual()
            .name("tls-files")
            .start(
                () -> {
                  try {
                    while (true) {
                      Thread.sleep(interval);
                      reload(servers);
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
  }

  private void reload(List<HttpServer> servers) throws InterruptedException {
    byte[] oldCertificate = certificateBytes;
    byte[] oldKey = keyBytes;
    try {
      byte[] newCertificate = Files.readAllBytes(certificate);
      byte[] newKey = Files.readAllBytes(key);
      if (Arrays.equals(newCertificate, oldCertificate) && Arrays.equals(newKey, oldKey)) {
        reported = null;
        return;
      }
      certificateBytes = newCertificate;
      keyBytes = newKey;
      check(pair());
      for (HttpServer server : servers) {
        ServerSSLOptions options = new ServerSSLOptions();
        options.setUseAlpn(true);
        options.setApplicationLayerProtocols(List.of("h2", "http/1.1"));
        options.setEnabledSecureTransportProtocols(protocols());
        options.setKeyCertOptions(pair());
        server.updateSSLOptions(options).toCompletionStage().toCompletableFuture().get();
      }
      reported = null;
      LOG.log(Level.INFO, "new TLS certificate in force, from {0}", certificate);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) {
      // An error too: these files are looked at again, whatever is wrong with them now.
      certificateBytes = oldCertificate;
      keyBytes = oldKey;
      report(e);
    }
  }

  /** Once for each thing that is wrong, not at every look. */
  private void report(Throwable wrong) {
    String what = String.valueOf(wrong.getMessage());
    if (!what.equals(reported)) {
      reported = what;
      LOG.log(
          Level.WARNING,
          "{0} and {1} cannot be used, the old certificate stays in force: {2}",
          certificate,
          key,
          what);
    }
  }

  private PemKeyCertOptions pair() {
    return new PemKeyCertOptions()
        .addCertValue(Buffer.buffer(certificateBytes))
        .addKeyValue(Buffer.buffer(keyBytes));
  }

  private static Set<String> protocols() {
    return Set.of("TLSv1.2", "TLSv1.3");
  }

  /** Signs something with the key and verifies it with the certificate: only a pair passes. */
  private static void check(PemKeyCertOptions pair) throws Exception {
    for (KeyManager manager : pair.getKeyManagerFactory(null).getKeyManagers()) {
      if (manager instanceof X509KeyManager x509) {
        for (String type : List.of("RSA", "EC", "EdDSA")) {
          String[] aliases = x509.getServerAliases(type, null);
          if (aliases != null && aliases.length > 0) {
            verify(x509.getCertificateChain(aliases[0])[0], x509.getPrivateKey(aliases[0]));
            return;
          }
        }
      }
    }
    throw new GeneralSecurityException("no usable certificate and key in the files");
  }

  private static void verify(X509Certificate certificate, PrivateKey key)
      throws GeneralSecurityException {
    byte[] text = {'p', 'a', 'i', 'r'};
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    Signature signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update(text);
    Signature verifying = Signature.getInstance(algorithm);
    verifying.initVerify(certificate.getPublicKey());
    verifying.update(text);
    if (!verifying.verify(signing.sign())) {
      throw new GeneralSecurityException("the key does not belong to the certificate");
    }
  }

  @Override
  public void close() {
    if (watcher != null) {
      watcher.interrupt();
    }
  }
}
