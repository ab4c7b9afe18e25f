package gilmok.auth;

import gilmok.background.BackgroundThread;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCrypt;

/**
 * Verifies keys of which only a bcrypt hash is known: one after the other, apart from the requests,
 * as each takes tens of milliseconds of a processor. Meanwhile the caller is told to come again. A
 * key that was found is kept by its SHA-256 from then on; a text that was not is remembered.
 *
 * <p>So nobody can make the server verify without end, nor keep others from it: few texts of one
 * address wait, and those that begin alike wait in a lane of their own. The lanes are served in
 * turns. Thread-safe; {@link #check} does not block.
 */
final class BcryptCheck {
  /** The most keys that are compared with one text. */
  static final int CANDIDATES_MAX = 4;

  /** The most texts of one address that wait. */
  static final int WAITING_OF_ONE_MAX = 4;

  /** The most texts that wait which begin alike. */
  static final int WAITING_ALIKE_MAX = 16;

  /** bcrypt does not read what is behind: by it, any longer text would be the key. */
  static final int TEXT_MAX = 72;

  private static final int WAITING_MAX = 256;
  private static final int WRONG_MAX = 10_000;
  private static final Object STRANGERS = new Object();
  private static final System.Logger LOG = System.getLogger("gilmok.auth");

  /** Keeps a key by the hash of its text, now that it is known. */
  interface Found {
    void keep(StoredKey key, byte[] sha256) throws IOException;
  }

  /** A text that waits to be compared. */
  private record Waiting(List<StoredKey> candidates, String text, String hash, Object sender) {}

  private final Found found;

  /** The hashes of all that wait, and of the one that is compared. */
  private final Set<String> pending = new HashSet<>();

  /** Those that wait, by the first key that they begin as; the lane whose turn it is is first. */
  private final Map<String, Deque<Waiting>> lanes = new LinkedHashMap<>();

  /** How many of {@link #pending} an address has sent. */
  private final Map<Object, Integer> ofSender = new HashMap<>();

  /** The bcrypt hashes that a text was compared with, by its hash. */
  private final Map<String, List<String>> wrong =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<String>> eldest) {
          return size() > WRONG_MAX;
        }
      };

  private boolean isComparing;

  BcryptCheck(Found found) {
    this.found = found;
  }

  /** Whether a text may be a key at all by its bcrypt hash, which repeats it behind a NUL. */
  static boolean isKey(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) >= 0x7f) {
        return false;
      }
    }
    return end - start <= TEXT_MAX;
  }

  /**
   * The verdict on a text that may be one of these keys.
   *
   * @param sha256 of the text; not kept
   */
  synchronized Denial check(
      List<StoredKey> alike, String text, byte[] sha256, ClientAddress client) {
    List<StoredKey> candidates = alike.subList(0, Math.min(CANDIDATES_MAX, alike.size()));
    String hash = HexFormat.of().formatHex(sha256);
    if (wrong.getOrDefault(hash, List.of()).containsAll(bcrypts(candidates))) {
      return Denial.UNKNOWN;
    }
    if (pending.contains(hash)) {
      return Denial.VERIFYING;
    }
    InetAddress address = client.clientAddress();
    Object from = address == null ? STRANGERS : ClientAddress.household(address);
    if (ofSender.getOrDefault(from, 0) >= WAITING_OF_ONE_MAX) {
      return Denial.CROWDED;
    }
    Deque<Waiting> lane = lanes.getOrDefault(candidates.getFirst().info().id(), new ArrayDeque<>());
    if (pending.size() < WAITING_MAX && lane.size() < WAITING_ALIKE_MAX) {
      lane.add(new Waiting(List.copyOf(candidates), text, hash, from));
      lanes.put(candidates.getFirst().info().id(), lane);
      pending.add(hash);
      ofSender.merge(from, 1, Integer::sum);
      if (!isComparing) {
        startNext();
      }
    }
    return Denial.VERIFYING;
  }

  private static List<String> bcrypts(List<StoredKey> candidates) {
    return candidates.stream().map(key -> key.secret().bcrypt()).toList();
  }

  private synchronized void startNext() {
    Waiting next = next();
    isComparing = next != null;
    if (next != null) {
      BackgroundThread.startVirtual("verify-key", () -> verify(next));
    }
  }

  /** Takes one of the lane whose turn it is, which then comes last. */
  private @Nullable Waiting next() {
    Iterator<Map.Entry<String, Deque<Waiting>>> turns = lanes.entrySet().iterator();
    if (!turns.hasNext()) {
      return null;
    }
    Map.Entry<String, Deque<Waiting>> turn = turns.next();
    turns.remove();
    Waiting next = turn.getValue().remove();
    if (!turn.getValue().isEmpty()) {
      lanes.put(turn.getKey(), turn.getValue());
    }
    return next;
  }

  private void verify(Waiting one) {
    long began = System.nanoTime();
    try {
      for (StoredKey key : one.candidates) {
        if (BCrypt.checkpw(one.text, key.secret().bcrypt())) {
          found.keep(key, HexFormat.of().parseHex(one.hash));
          return;
        }
      }
      remember(one);
    } catch (IOException failed) { // the next request verifies it again
      LOG.log(
          System.Logger.Level.WARNING,
          "a key that was verified cannot be stored: {0}",
          failed.getMessage());
    } finally {
      // Whoever sends many texts that begin alike has half of a processor, and not all of it.
      LockSupport.parkNanos(System.nanoTime() - began);
      leave(one);
      startNext();
    }
  }

  private synchronized void remember(Waiting one) {
    wrong.put(one.hash, bcrypts(one.candidates));
  }

  private synchronized void leave(Waiting one) {
    pending.remove(one.hash);
    ofSender.computeIfPresent(one.sender, (_, count) -> count == 1 ? null : count - 1);
  }
}
