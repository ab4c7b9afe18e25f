package gilmok.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of an issuer of tokens, by their ids; read again from time to time, and when a
 * token names one that is not there. If they cannot be read, or none of them can be used, those
 * that were read last count on. Thread-safe; asking does not block, as they are read on a thread of
 * their own.
 */
final class JwtKeys {
  /** A token with a key that nobody knows can have them read again so often. */
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(30);

  private static final Duration READ_WAIT = Duration.ofSeconds(12);

  /** The most keys that are tried for one token, which names none. */
  private static final int TRIED_MAX = 4;

  /** RFC 7518, 3.3. */
  private static final int RSA_BITS_MIN = 2048;

  private static final System.Logger LOG = System.getLogger("gilmok.auth");

  /**
   * A key.
   *
   * @param id empty for none
   * @param algorithm the one signature that it is for; null for any of its kind
   */
  record Key(String id, JWSVerifier verifier, @Nullable String algorithm) {
    /** Whether a token that names this key, or none, and this signature may be checked by it. */
    boolean isFor(String named, String signature) {
      return (named.isEmpty() || named.equals(id))
          && (algorithm == null || algorithm.equals(signature))
          && verifier.supportedJWSAlgorithms().contains(new JWSAlgorithm(signature));
    }
  }

  private final String source;
  private final long refreshNanos;
  private final AtomicBoolean isReading = new AtomicBoolean();
  private volatile List<Key> known = List.of();
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

  /**
   * The keys that a token may be signed by; empty when there are none.
   *
   * @param id the one that it names; empty if it names none
   */
  List<Key> find(String id, String signature) {
    if (System.nanoTime() - askedNanos > refreshNanos) {
      read();
    }
    return known.stream().filter(key -> key.isFor(id, signature)).limit(TRIED_MAX).toList();
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
            } catch (IOException | ParseException | RuntimeException failed) {
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

  private void use(JWKSet set) throws IOException {
    List<Key> found = new ArrayList<>();
    for (JWK key : set.getKeys()) {
      if (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE)) {
        add(key, found);
      }
    }
    if (found.isEmpty()) {
      throw new IOException("none of its " + set.size() + " keys can be used");
    }
    known = List.copyOf(found);
    isRead = true;
  }

  private static void add(JWK key, List<Key> found) {
    String id = key.getKeyID() == null ? "" : key.getKeyID();
    String algorithm = key.getAlgorithm() == null ? null : key.getAlgorithm().getName();
    try {
      switch (key) {
        case RSAKey rsa when rsa.size() < RSA_BITS_MIN ->
            LOG.log(
                Level.WARNING,
                "the key {0} of auth.jwt.jwks is not used: RSA of {1} bits, less than {2}",
                id,
                rsa.size(),
                RSA_BITS_MIN);
        case RSAKey rsa -> found.add(new Key(id, new RSASSAVerifier(rsa), algorithm));
        case ECKey ec -> found.add(new Key(id, new ECDSAVerifier(ec), algorithm));
        default -> {} // of a kind that no accepted signature has
      }
    } catch (JOSEException unknown) { // the others are none the worse for it
      LOG.log(
          Level.WARNING, "the key {0} of auth.jwt.jwks is not used: {1}", id, unknown.getMessage());
    }
  }

  private String text() throws IOException, InterruptedException {
    return source.startsWith("http://") || source.startsWith("https://")
        ? IssuerClient.get(URI.create(source))
        : Files.readString(Path.of(source));
  }
}
