package gilmok.auth;

import gilmok.background.BackgroundThread;
import java.io.IOException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.springframework.security.crypto.bcrypt.BCrypt;

/**
 * Verifies keys of which only a bcrypt hash is known: one after the other, apart from the requests,
 * as each takes tens of milliseconds of a processor. Meanwhile the caller is told to come again. A
 * key that was found is kept by its SHA-256 from then on; a text that was not is remembered for
 * some time. So nobody can make the server verify without end. Thread-safe; {@link #check} does not
 * block.
 */
final class BcryptCheck {
  /** The most keys that are compared with one text. */
  static final int CANDIDATES_MAX = 4;

  private static final int PENDING_MAX = 64;
  private static final int WRONG_MAX = 10_000;
  private static final System.Logger LOG = System.getLogger("gilmok.auth");

  /** Keeps a key by the hash of its text, now that it is known. */
  interface Found {
    void keep(StoredKey key, byte[] sha256) throws IOException;
  }

  private final Found found;
  private final Set<String> pending = ConcurrentHashMap.newKeySet();
  private final Semaphore turn = new Semaphore(1);
  private final Map<String, Boolean> wrong =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > WRONG_MAX;
            }
          });

  BcryptCheck(Found found) {
    this.found = found;
  }

  /** Forgets which texts were wrong: the keys have changed. */
  void forget() {
    wrong.clear();
  }

  /**
   * The verdict on a text that may be one of these keys.
   *
   * @param sha256 of the text; not kept
   */
  Denial check(List<StoredKey> candidates, String text, byte[] sha256) {
    String hash = HexFormat.of().formatHex(sha256);
    if (wrong.containsKey(hash)) {
      return Denial.UNKNOWN;
    }
    if (pending.size() < PENDING_MAX && pending.add(hash)) {
      BackgroundThread.startVirtual("verify-key", () -> verify(candidates, text, hash));
    }
    return Denial.VERIFYING;
  }

  private void verify(List<StoredKey> candidates, String text, String hash) {
    turn.acquireUninterruptibly();
    long began = System.nanoTime();
    try {
      for (StoredKey key : candidates.subList(0, Math.min(CANDIDATES_MAX, candidates.size()))) {
        if (BCrypt.checkpw(text, key.secret().bcrypt())) {
          found.keep(key, HexFormat.of().parseHex(hash));
          return;
        }
      }
      wrong.put(hash, true);
    } catch (IOException failed) { // the next request verifies it again
      LOG.log(
          System.Logger.Level.WARNING,
          "a key that was verified cannot be stored: {0}",
          failed.getMessage());
    } finally {
      // Whoever sends many texts that begin alike has half of a processor, and not all of it.
      LockSupport.parkNanos(System.nanoTime() - began);
      turn.release();
      pending.remove(hash);
    }
  }
}
