package gilmok.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import gilmok.background.BackgroundThread;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of an issuer of tokens, by their ids; read again from time to time, and when a
 * token names one that is not there. If they cannot be read, those that were read last count on.
 * Thread-safe; asking does not block, as they are read on a thread of their own.
 */
final class JwtKeys {
  /** A token with a key that nobody knows can have them read again so often. */
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(30);

  private static final Duration READ_WAIT = Duration.ofSeconds(12);
  private static final System.Logger LOG = System.getLogger("gilmok.auth");

  /**
   * A key.
   *
   * @param algorithm the one signature that it is for; null for any of its kind
   */
  record Key(JWSVerifier verifier, @Nullable String algorithm) {
    /** Whether a token that names this signature may be checked by it. */
    boolean isFor(String signature) {
      return algorithm == null || algorithm.equals(signature);
    }
  }

  private final String source;
  private final long refreshNanos;
  private final AtomicBoolean isReading = new AtomicBoolean();
  private volatile Map<String, Key> byId = Map.of();
  private volatile boolean isRead;
  private volatile CountDownLatch reading = new CountDownLatch(0);
  private volatile long askedNanos;

  /** Keys from there; they are being read for the first time. */
  JwtKeys(String source, Duration refresh) {
    this.source = source;
    refreshNanos = refresh.toNanos();
    askedNanos = System.nanoTime() - ASKED_AGAIN.toNanos();
    read();
  }

  /** Whether they were read at least once. */
  boolean isRead() {
    return isRead;
  }

  /** The key of that id; null when there is none. */
  @Nullable Key find(String id) {
    if (System.nanoTime() - askedNanos > refreshNanos) {
      read();
    }
    return byId.get(id);
  }

  /**
   * A token names a key that is not there: the issuer may have a new one. Returns whether they are
   * being read again, so that the token should be sent again.
   */
  boolean isPerhapsNew() {
    if (System.nanoTime() - askedNanos >= ASKED_AGAIN.toNanos()) {
      read();
    }
    return isReading.get() || !isRead;
  }

  /** Waits while they are being read. */
  void await() throws InterruptedException {
    boolean _ = reading.await(READ_WAIT.toSeconds(), TimeUnit.SECONDS);
  }

  private void read() {
    if (isReading.compareAndSet(false, true)) {
      CountDownLatch done = new CountDownLatch(1);
      reading = done;
      askedNanos = System.nanoTime();
      BackgroundThread.startVirtual(
          "read-jwks",
          () -> {
            try {
              use(JWKSet.parse(text()));
            } catch (IOException | ParseException | JOSEException | RuntimeException failed) {
              LOG.log(
                  Level.WARNING,
                  "the keys of auth.jwt.jwks cannot be read: {0}; {1}",
                  failed.getMessage(),
                  isRead
                      ? "those that were read before count on"
                      : "no token is let in until then");
            } catch (InterruptedException stopping) {
              Thread.currentThread().interrupt();
            } finally {
              isReading.set(false);
              done.countDown();
            }
          });
    }
  }

  private void use(JWKSet set) throws JOSEException {
    Map<String, Key> found = new HashMap<>();
    for (JWK key : set.getKeys()) {
      if (key.getKeyUse() != null && !key.getKeyUse().equals(KeyUse.SIGNATURE)) {
        continue;
      }
      String id = key.getKeyID() == null ? "" : key.getKeyID();
      String algorithm = key.getAlgorithm() == null ? null : key.getAlgorithm().getName();
      switch (key) {
        case RSAKey rsa -> found.put(id, new Key(new RSASSAVerifier(rsa), algorithm));
        case ECKey ec -> found.put(id, new Key(new ECDSAVerifier(ec), algorithm));
        default -> {} // of a kind that no accepted signature has
      }
    }
    byId = Map.copyOf(found);
    isRead = true;
  }

  private String text() throws IOException, InterruptedException {
    return source.startsWith("http://") || source.startsWith("https://")
        ? IssuerClient.get(URI.create(source))
        : Files.readString(Path.of(source));
  }
}
