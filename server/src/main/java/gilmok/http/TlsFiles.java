package gilmok.http;

import gilmok.background.BackgroundThread;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate and key of a listener, read from PEM files, and read again when the files change
 * or on request. A pair that cannot be used leaves the old one in force; each one that it finds by
 * itself is reported once. It watches the files on a virtual thread of its own. Thread-safe.
 */
final class TlsFiles implements AutoCloseable {
  private static final Logger LOG = System.getLogger(TlsFiles.class.getName());

  /** How long event loops may take to switch to a new pair. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Duration interval;
  private Pair inForce;

  /** When the certificate in force ends, or the first one of its chain. */
  private volatile Instant end;

  private @Nullable String reported;
  private @Nullable Thread watcher;

  /** The contents of the two files when they were read. */
  private record Pair(Path certificate, Path key, Buffer chain, Buffer secret) {
    /** Reads the files without checking them. */
    static Pair of(Path certificate, Path key) throws IOException {
      return new Pair(
          certificate,
          key,
          Buffer.buffer(Files.readAllBytes(certificate)),
          Buffer.buffer(Files.readAllBytes(key)));
    }

    boolean isSame(Pair other) {
      return chain.equals(other.chain) && secret.equals(other.secret);
    }

    PemKeyCertOptions options() {
      return new PemKeyCertOptions().addCertValue(chain).addKeyValue(secret);
    }
  }

  /** A pair that can be used, and when its certificate ends. */
  private record Usable(Pair pair, Instant end) {}

  /**
   * Reads the files.
   *
   * @throws IOException when they cannot be read or are no pair
   */
  TlsFiles(TlsConfig tls, RequestMeter meter) throws IOException {
    interval = tls.reloadInterval();
    Usable first = checked(tls);
    inForce = first.pair;
    end = first.end;
    meter.certificate(() -> end.toEpochMilli() / 1e3);
  }

  /** Reads the files and checks that they can be used. */
  private static Usable checked(TlsConfig tls) throws IOException {
    try {
      Pair read = Pair.of(tls.certificate(), tls.key());
      return new Usable(read, check(read.options()));
    } catch (NoSuchFileException missing) {
      throw new IOException("tls.certificate and tls.key: no file " + missing.getFile(), missing);
    } catch (AccessDeniedException denied) {
      throw new IOException(
          "tls.certificate and tls.key: " + denied.getFile() + " may not be read by this user",
          denied);
    } catch (Exception e) {
      throw new IOException("tls.certificate and tls.key: " + e.getMessage(), e);
    }
  }

  /**
   * Checks whether a listener could start with these files.
   *
   * @throws IOException when it could not; the message says why
   */
  static void check(TlsConfig tls) throws IOException {
    Usable _ = checked(tls);
  }

  void configure(HttpServerOptions options) {
    options
        .setSsl(true)
        .setUseAlpn(true)
        .setEnabledSecureTransportProtocols(protocols())
        .setKeyCertOptions(inForce.options());
  }

  /** Starts to watch for changes, for servers that listen. */
  void watch(List<HttpServer> servers) {
    watcher =
        BackgroundThread.startVirtual(
            "tls-files",
            () -> {
              try {
                while (true) {
                  Thread.sleep(interval);
                  look(servers);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  /**
   * Switches to the pair in these files, which may be others than before; open connections keep the
   * old one. Blocks.
   *
   * @return whether the pair differs from the one before
   * @throws IOException when they cannot be used; the old pair stays in force
   */
  synchronized boolean take(TlsConfig tls, List<HttpServer> servers)
      throws IOException, InterruptedException {
    Usable wanted = checked(tls);
    boolean isOther = !wanted.pair.isSame(inForce);
    if (isOther) {
      show(wanted.pair, servers);
    }
    inForce = wanted.pair;
    end = wanted.end;
    return isOther;
  }

  private synchronized void look(List<HttpServer> servers) throws InterruptedException {
    try {
      Pair read = Pair.of(inForce.certificate, inForce.key);
      if (!read.isSame(inForce)) {
        Instant itsEnd = check(read.options());
        show(read, servers);
        inForce = read;
        end = itsEnd;
      }
      reported = null;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) {
      // Errors are caught, too: the files are checked again, whatever is wrong with them now.
      report(e);
    }
  }

  private static void show(Pair pair, List<HttpServer> servers)
      throws IOException, InterruptedException {
    for (HttpServer server : servers) {
      ServerSSLOptions options = new ServerSSLOptions();
      options.setUseAlpn(true);
      options.setApplicationLayerProtocols(List.of("h2", "http/1.1"));
      options.setEnabledSecureTransportProtocols(protocols());
      options.setKeyCertOptions(pair.options());
      Boolean _ = FrameworkFutures.await(server.updateSSLOptions(options), PATIENCE);
    }
    LOG.log(Level.INFO, "a new TLS certificate is in force, from {0}", pair.certificate);
  }

  /** Reports each fault once, not at every check. */
  private void report(Throwable wrong) {
    String what = String.valueOf(wrong.getMessage());
    if (!what.equals(reported)) {
      reported = what;
      LOG.log(
          Level.WARNING,
          "{0} and {1} cannot be used; the old certificate stays in force until it expires: {2}",
          inForce.certificate,
          inForce.key,
          what);
    }
  }

  private static Set<String> protocols() {
    return Set.of("TLSv1.2", "TLSv1.3");
  }

  /**
   * Signs data with the key and verifies the signature with the certificate: only a matching pair
   * passes.
   *
   * @return when the first certificate of its chain ends
   */
  private static Instant check(PemKeyCertOptions pair) throws Exception {
    for (KeyManager manager : pair.getKeyManagerFactory(null).getKeyManagers()) {
      if (manager instanceof X509KeyManager x509) {
        for (String type : List.of("RSA", "EC", "EdDSA")) {
          String[] aliases = x509.getServerAliases(type, null);
          if (aliases != null && aliases.length > 0) {
            X509Certificate[] chain = x509.getCertificateChain(aliases[0]);
            verify(chain[0], x509.getPrivateKey(aliases[0]));
            return Collections.min(
                Stream.of(chain).map(one -> one.getNotAfter().toInstant()).toList());
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
