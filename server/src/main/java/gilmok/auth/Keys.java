package gilmok.auth;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys that callers show, kept as documents, hashes only. {@link #check} is what every request
 * pays; it neither blocks nor asks the documents: all keys are in memory too. A change is durable
 * before it is in force; what another node has changed is in force after the next {@link #refresh}.
 *
 * <p>Thread-safe; {@link #create}, {@link #revoke}, {@link #refresh} and {@link #reload} wait for
 * the documents and so must not be called on an event loop.
 */
public final class Keys {
  /** How long an expired key is still told from an unknown one. */
  private static final Duration EXPIRED_KEPT = Duration.ofDays(30);

  private static final int ACTIVE_WITH_ONE_NAME_MAX = 2;
  private static final String ADMIN_NAME = "admin";
  private static final String GIVEN_ADMIN_ID = "admin-key";

  private static final System.Logger LOG = System.getLogger("gilmok.auth");

  private final AskedKeys store;
  private final Path adminFile;
  private final AuthConfig config;
  private final InstantSource time;
  private final RandomGenerator random;
  private final byte @Nullable [] givenAdminHash;
  private final Principal givenAdmin =
      new Principal(GIVEN_ADMIN_ID, ADMIN_NAME, EnumSet.allOf(Scope.class), null);
  private final ThreadLocal<Shown> shown = ThreadLocal.withInitial(Shown::new);
  private final ThreadLocal<Seal> seals = ThreadLocal.withInitial(Seal::new);
  private volatile State state = new State(List.of(), new KeyTable(List.of()));
  private volatile Map<String, DamagedKeys> damaged = Map.of();
  private long revision;
  private int usualRate;

  /** All keys, and those of them that are let in. Immutable. */
  private record State(List<StoredKey> keys, KeyTable table) {}

  private Keys(
      KeyStore store, Path folder, AuthConfig config, InstantSource time, RandomGenerator random) {
    this.store = new AskedKeys(store);
    this.config = config;
    this.time = time;
    this.random = random;
    adminFile = folder.resolve("admin.key");
    String given = config.adminKey();
    givenAdminHash = given == null ? null : Shown.hashOf(given);
    usualRate = config.rate();
  }

  /**
   * The keys that are kept; those of a {@code keys.json} are moved to the others. When none of them
   * has the scope admin and none is given by {@link AuthConfig#adminKey}, one is made and written
   * to {@link #adminFile}.
   *
   * @param folder the data folder
   * @param random where secrets come from: a {@link java.security.SecureRandom} but in tests
   * @throws IOException when they cannot be read, written or understood; the message says what
   */
  public static Keys open(
      KeyStore store, Path folder, AuthConfig config, InstantSource time, RandomGenerator random)
      throws IOException {
    Files.createDirectories(folder);
    Keys keys = openAsTheyAre(store, folder, config, time, random);
    if (config.adminKey() == null && !keys.hasAdmin()) {
      for (DamagedKeys perhapsTheAdmin : keys.damaged.values()) {
        throw perhapsTheAdmin;
      }
      keys.makeAdmin();
    }
    keys.warnOfWrongCopy();
    return keys;
  }

  /**
   * The keys that are kept as they are: no admin key is made. For changing them while no server
   * runs.
   *
   * @throws IOException when they cannot be read or understood; the message says what
   */
  public static Keys openAsTheyAre(
      KeyStore store, Path folder, AuthConfig config, InstantSource time, RandomGenerator random)
      throws IOException {
    Keys keys = new Keys(store, folder, config, time, random);
    keys.move(new KeysFile(folder));
    keys.reload();
    return keys;
  }

  /** Sees what another node has changed, if it has; a small question where nothing was. */
  public synchronized void refresh() throws IOException {
    if (store.revision() != revision) {
      reload();
    }
  }

  /** Reads all keys again; one that cannot be understood is let in no more, the others are. */
  public synchronized void reload() throws IOException {
    // Before the keys: a change between the two is then seen twice, not never.
    long now = store.revision();
    KeysRead read = KeysRead.of(store.all(), state.keys());
    read.nameDamaged(damaged.keySet());
    damaged = read.damaged();
    revision = now;
    state = state(read.keys());
  }

  /**
   * Who is asking. The first of the three that is present decides, whatever the others are.
   *
   * @param apiKeyHeader the value of {@code X-Api-Key}
   * @param authorizationHeader the value of {@code Authorization}: Bearer, or Basic with the key as
   *     password
   * @param keyParameter the value of {@code key} in the query or a form
   */
  public Verdict check(
      @Nullable String apiKeyHeader,
      @Nullable String authorizationHeader,
      @Nullable String keyParameter) {
    Shown credential = shown.get();
    Denial denial = credential.find(apiKeyHeader, authorizationHeader, keyParameter);
    Verdict verdict = denial == null ? verdict(credential) : denial;
    credential.clear();
    return verdict;
  }

  /** Whether a key that was good is still: neither revoked nor expired since. */
  public boolean isStillGood(Principal principal) {
    if (principal.keyId().equals(givenAdmin.keyId())) {
      return true;
    }
    String id = principal.keyId();
    StoredKey key = state.table().find(id, 0, id.length());
    return key != null && key.info().activeAt(time.instant());
  }

  /**
   * Who is asking, when a page asks: a session counts where no key is sent.
   *
   * @param session the value of the session's cookie
   */
  public Verdict check(
      @Nullable String apiKeyHeader,
      @Nullable String authorizationHeader,
      @Nullable String keyParameter,
      @Nullable String session) {
    Verdict verdict = check(apiKeyHeader, authorizationHeader, keyParameter);
    return verdict == Denial.MISSING && session != null && !session.isEmpty()
        ? checkSession(session)
        : verdict;
  }

  /**
   * A session in place of the key that was just found good; null when that key is gone again. It
   * ends with the key, and after {@link AuthConfig#sessionLifetime}; nothing is kept of it.
   */
  public @Nullable Session openSession(Principal principal) {
    String id = principal.keyId();
    Instant now = time.instant();
    Instant end = now.plus(config.sessionLifetime());
    StoredKey key = state.table().find(id, 0, id.length());
    byte[] hash = principal.equals(givenAdmin) ? givenAdminHash : null;
    if (key != null) {
      hash = key.hash();
      Instant keyEnd = key.info().expiresAt();
      end = keyEnd != null && keyEnd.isBefore(end) ? keyEnd : end;
    }
    if (hash == null) {
      return null;
    }
    long lifetime = Math.max(0, end.getEpochSecond() - now.getEpochSecond());
    return new Session(
        seals.get().text(id, hash, end.getEpochSecond()), Duration.ofSeconds(lifetime));
  }

  /** Makes a key; it is good when this returns. */
  public synchronized KeyResult create(KeyRequest request) throws IOException {
    KeyResult.Refused problem = request.problem();
    if (problem != null) {
      return problem;
    }
    refresh();
    Instant now = time.instant().truncatedTo(ChronoUnit.MILLIS);
    List<StoredKey> gone =
        state.keys().stream().filter(key -> !key.info().activeAt(now.minus(EXPIRED_KEPT))).toList();
    List<StoredKey> kept = new ArrayList<>(state.keys());
    kept.removeAll(gone);
    if (kept.size() >= config.keysMax()) {
      return new KeyResult.Conflict("name", "there are " + kept.size() + " keys, no more fit");
    }
    long twins =
        kept.stream()
            .map(StoredKey::info)
            .filter(info -> info.name().equals(request.name()) && info.activeAt(now))
            .count();
    if (twins >= ACTIVE_WITH_ONE_NAME_MAX) {
      return new KeyResult.Conflict("name", "two active keys have this name; revoke one first");
    }
    KeyText text = newText();
    StoredKey key = StoredKey.of(text, request, now, false);
    kept.add(key);
    change(List.of(key), gone, kept);
    return new KeyResult.Created(key.info(), text.whole());
  }

  /** Every key that is or was good, the oldest first. */
  public List<KeyInfo> list() {
    State now = state;
    return now.keys().stream()
        .filter(this::isLetIn)
        .map(StoredKey::info)
        .sorted(Comparator.comparing(KeyInfo::createdAt).thenComparing(KeyInfo::id))
        .toList();
  }

  /** Takes a key away for good; false when there is none with this id. */
  public synchronized boolean revoke(String id) throws IOException {
    refresh();
    List<StoredKey> kept = new ArrayList<>(state.keys());
    List<StoredKey> gone = kept.stream().filter(key -> key.info().id().equals(id)).toList();
    if (gone.isEmpty()) {
      return removeDamaged(id);
    }
    kept.removeAll(gone);
    change(List.of(), gone, kept);
    if (gone.getFirst().isFirst()) {
      PrivateFile.delete(adminFile);
    }
    return true;
  }

  private boolean removeDamaged(String id) throws IOException {
    if (!damaged.containsKey(id)) {
      return false;
    }
    store.change(List.of(), List.of(id));
    reload();
    return true;
  }

  /** How many keys cannot be understood, and so let nobody in. */
  public int damaged() {
    return damaged.size();
  }

  /**
   * How many keys there are, for the meter of fullness; {@link AuthConfig#keysMax} is its bound.
   */
  public int size() {
    return state.keys().size();
  }

  /** The bound of {@link #size}. */
  public int sizeMax() {
    return config.keysMax();
  }

  /** Where the first admin key is kept as text; null when a key was given in its place. */
  public @Nullable Path adminFile() {
    boolean isInForce = state.keys().stream().anyMatch(key -> key.isFirst() && isLetIn(key));
    return isInForce && Files.exists(adminFile) ? adminFile : null;
  }

  private Verdict verdict(Shown credential) {
    String text = credential.text();
    int start = credential.start();
    int end = credential.end();
    int id = start + KeyText.PREFIX.length();
    int secret = text.startsWith(KeyText.PREFIX, start) ? text.indexOf('_', id, end) + 1 : 0;
    StoredKey key = secret == 0 ? null : state.table().find(text, id, secret - 1);
    if (key != null && equal(key.hash(), credential.hash(text, secret, end))) {
      return key.verdict(key.isTimed() ? time.millis() : 0);
    }
    if (givenAdminHash != null && equal(givenAdminHash, credential.hash(text, start, end))) {
      return givenAdmin;
    }
    return Denial.UNKNOWN;
  }

  private Verdict checkSession(String session) {
    Seal seal = seals.get();
    Verdict verdict = seal.read(session) ? verdict(seal) : Denial.UNKNOWN;
    seal.clear();
    return verdict;
  }

  private Verdict verdict(Seal seal) {
    StoredKey key = state.table().find(seal.text(), 0, seal.idEnd());
    if (key != null) {
      if (!seal.isOf(key.hash())) {
        return Denial.UNKNOWN;
      }
      long now = time.millis();
      return now < seal.expirySeconds() * 1000 ? key.verdict(now) : Denial.EXPIRED;
    }
    boolean isAdmin =
        givenAdminHash != null
            && seal.idEnd() == GIVEN_ADMIN_ID.length()
            && seal.text().startsWith(GIVEN_ADMIN_ID)
            && seal.isOf(givenAdminHash);
    if (!isAdmin) {
      return Denial.UNKNOWN;
    }
    return time.millis() < seal.expirySeconds() * 1000 ? givenAdmin : Denial.EXPIRED;
  }

  /** Takes equally long wherever the two differ. */
  private static boolean equal(byte[] expected, byte @Nullable [] actual) {
    return actual != null && MessageDigest.isEqual(expected, actual);
  }

  private boolean hasAdmin() {
    Instant now = time.instant();
    return state.keys().stream()
        .map(StoredKey::info)
        .anyMatch(info -> info.scopes().contains(Scope.ADMIN) && info.activeAt(now));
  }

  private synchronized void makeAdmin() throws IOException {
    KeyText text = newText();
    KeyRequest request = new KeyRequest(ADMIN_NAME, EnumSet.allOf(Scope.class), null, null, null);
    Instant now = time.instant().truncatedTo(ChronoUnit.MILLIS);
    StoredKey key = StoredKey.of(text, request, now, true);
    List<StoredKey> keys = new ArrayList<>(state.keys());
    keys.add(key);
    // The text first: a crash between the two then leads to another key, not to a lost one.
    PrivateFile.write(adminFile, (text.whole() + "\n").getBytes(StandardCharsets.US_ASCII));
    change(List.of(key), List.of(), keys);
  }

  /** The file is a copy for people: one that is wrong stops nobody but them. */
  private void warnOfWrongCopy() {
    Path copy = adminFile();
    if (copy != null && check(PrivateFile.text(copy), null, null) instanceof Denial) {
      LOG.log(Level.WARNING, "{0} does not hold the admin key any more", copy);
    }
  }

  /** Keys of the file that were before documents. */
  private synchronized void move(KeysFile file) throws IOException {
    if (!file.exists()) {
      return;
    }
    List<StoredKey> moved = file.read();
    change(moved, List.of(), moved);
    file.delete(); // after they are safe: a crash between the two moves them again
    LOG.log(Level.INFO, "{0} keys of {1} are documents now", moved.size(), KeysFile.NAME);
  }

  private void change(List<StoredKey> put, List<StoredKey> removed, List<StoredKey> result)
      throws IOException {
    store.change(put, removed.stream().map(key -> key.info().id()).toList());
    state = state(result);
  }

  /** From now on keys without a rate have this one ({@link AuthConfig#rate}); 0: no bound. */
  public synchronized void usualRate(int perSecond) {
    usualRate = perSecond;
    state = state(state.keys());
  }

  private State state(List<StoredKey> keys) {
    keys.forEach(key -> key.usualRate(usualRate));
    List<StoredKey> letIn = keys.stream().filter(this::isLetIn).toList();
    return new State(List.copyOf(keys), new KeyTable(letIn));
  }

  /** A given admin key takes the place of the one in the file. */
  private boolean isLetIn(StoredKey key) {
    return config.adminKey() == null || !key.isFirst();
  }

  private KeyText newText() {
    Set<String> taken =
        state.keys().stream().map(key -> key.info().id()).collect(Collectors.toSet());
    return KeyText.byChance(random, taken);
  }
}
