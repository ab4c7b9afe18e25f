package gilmok.auth;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys of callers, stored as documents, hashes only. {@link #check} runs on every request: it
 * neither blocks nor asks the documents, as all keys are in memory too. A change is durable before
 * it is in force; a change by another node is in force after the next {@link #refresh}.
 *
 * <p>Thread-safe; {@link #create}, {@link #revoke}, {@link #refresh} and {@link #reload} wait for
 * the documents, so they must not be called on an event loop.
 */
public final class Keys {
  /** How long an expired key is kept, so that it is refused as expired, not as unknown. */
  private static final Duration EXPIRED_KEPT = Duration.ofDays(30);

  private static final System.Logger LOG = System.getLogger("gilmok.auth");

  private final KeyStore store;
  private final Path adminFile;
  private final AuthConfig config;
  private final InstantSource time;
  private final RandomGenerator random;
  private final KeyCheck door;
  private final LoginSeal seal;
  private volatile List<StoredKey> known = List.of();
  private volatile Map<String, DamagedKeys> damaged = Map.of();
  private final KeysCopy copy;
  private final KeysFile file;
  private long revision;
  private int usualRate;

  private Keys(
      KeyStore store,
      Path folder,
      AuthConfig config,
      SessionSecrets secrets,
      InstantSource time,
      RandomGenerator random) {
    this.store = store;
    this.config = config;
    this.time = time;
    this.random = random;
    copy = new KeysCopy(folder);
    file = new KeysFile(folder.resolve(KeysFile.NAME));
    adminFile = folder.resolve("admin.key");
    door = new KeyCheck(config, secrets, time, this::keep);
    usualRate = config.rate();
    seal = new LoginSeal(secrets);
  }

  /**
   * Opens the stored keys, after moving those of a {@code keys.json} to them. If none of them has
   * the scope admin and {@link AuthConfig#adminKey} gives none, an admin key is made and written to
   * {@link #adminFile}.
   *
   * <p>A store outside of this node may be away. Then the keys that were seen last are in force,
   * any other is {@link Denial#NOT_SEEN}, and {@link #refresh} does the rest as soon as the store
   * answers.
   *
   * @param random where secrets come from: a {@link java.security.SecureRandom} except in tests
   * @throws IOException when they cannot be read, written or understood; the message says what
   */
  public static Keys open(
      KeyStore store, Path folder, AuthConfig config, InstantSource time, RandomGenerator random)
      throws IOException {
    Files.createDirectories(folder);
    Keys keys =
        new Keys(store, folder, config, SessionSecrets.of(config, folder, random), time, random);
    try {
      keys.refresh();
    } catch (DamagedKeys | InterruptedIOException certain) {
      throw certain;
    } catch (IOException away) {
      if (!store.isShared()) {
        throw away;
      }
      keys.accept(keys.copy.readInPlaceOf(away));
    }
    return keys;
  }

  /**
   * Opens the stored keys without making an admin key; for changing keys while no server runs.
   *
   * @throws IOException when they cannot be read or understood; the message says what
   */
  public static Keys openAsTheyAre(
      KeyStore store, Path folder, AuthConfig config, InstantSource time, RandomGenerator random)
      throws IOException {
    Keys keys = new Keys(store, folder, config, SessionSecrets.NONE, time, random);
    keys.move();
    keys.read();
    keys.door.allSeen();
    return keys;
  }

  /** Reads the keys again if another node has changed them; costs one small query if none has. */
  public synchronized void refresh() throws IOException {
    if (!door.isSeen()) {
      begin();
    } else if (StoreCall.await(store::revision) != revision) {
      read();
    }
  }

  /** Reads all keys again. A key that cannot be understood is no longer let in; the others are. */
  public synchronized void reload() throws IOException {
    if (door.isSeen()) {
      read();
    } else {
      begin();
    }
  }

  /** What is done once, as soon as the store answers. */
  private void begin() throws IOException {
    move();
    read();
    if (config.adminKey() == null && !hasAdmin()) {
      for (DamagedKeys perhapsTheAdmin : damaged.values()) {
        throw perhapsTheAdmin;
      }
      makeAdmin();
    }
    door.allSeen();
    warnOfWrongCopy();
  }

  private void read() throws IOException {
    // Read before the keys: a change between the two reads is then seen twice, rather than never.
    long now = StoreCall.await(store::revision);
    LoadedKeys read = LoadedKeys.of(StoreCall.await(store::all), known);
    read.nameDamaged(damaged.keySet());
    damaged = read.damaged();
    revision = now;
    read.nameLoss(known.size());
    use(read.keys());
  }

  /**
   * Checks a caller's credential, of which the first that is present decides: {@code X-Api-Key};
   * {@code Authorization}, Bearer or Basic with the key as password; {@code key} of query or form.
   */
  public AuthResult check(
      @Nullable String apiKeyHeader,
      @Nullable String authorizationHeader,
      @Nullable String keyParameter) {
    return check(apiKeyHeader, authorizationHeader, keyParameter, null);
  }

  /** The same for a caller that may be a page: its cookie counts where no key is sent. */
  public AuthResult check(
      @Nullable String apiKeyHeader,
      @Nullable String authorizationHeader,
      @Nullable String keyParameter,
      @Nullable String session) {
    return check(apiKeyHeader, authorizationHeader, keyParameter, session, ClientAddress.STRANGER);
  }

  /** The same for a caller whose many wrong keys are not all looked at. */
  public AuthResult check(
      @Nullable String apiKeyHeader,
      @Nullable String authorizationHeader,
      @Nullable String keyParameter,
      @Nullable String session,
      ClientAddress client) {
    AuthResult authResult = door.check(apiKeyHeader, authorizationHeader, keyParameter, client);
    return authResult == Denial.MISSING && session != null && !session.isEmpty()
        ? door.checkSession(session)
        : authResult;
  }

  /**
   * Checks the token of a login that this server has asked for. Blocks.
   *
   * @param audience what the issuer calls this server
   * @param nonce what it was given when it was asked
   */
  public AuthResult checkLogin(String token, String audience, String nonce)
      throws InterruptedException {
    return door.checkLogin(token, audience, nonce);
  }

  /** Seals what browsers keep until they come back from a login. */
  public LoginSeal loginSeal() {
    return seal;
  }

  /** Whether a key that was good is still good: neither revoked nor expired since. */
  public boolean isStillGood(Principal principal) {
    return door.isStillGood(principal);
  }

  /** Opens a session, not stored, for the key just found good; null when it is gone meanwhile. */
  public @Nullable Session openSession(Principal principal) {
    return door.openSession(principal);
  }

  /** Makes a key; it is in force on return. */
  public KeyResult create(KeyRequest request) throws IOException {
    return create(request, KeyWitness.NONE);
  }

  /** Makes a key likewise, in front of a witness. */
  public synchronized KeyResult create(KeyRequest request, KeyWitness witness) throws IOException {
    KeyResult.Refused problem = request.problem();
    if (problem != null) {
      return problem;
    }
    refresh();
    Instant now = time.instant().truncatedTo(ChronoUnit.MILLIS);
    List<StoredKey> gone =
        known.stream().filter(key -> !key.info().activeAt(now.minus(EXPIRED_KEPT))).toList();
    List<StoredKey> kept = new ArrayList<>(known);
    kept.removeAll(gone);
    KeyResult conflict = KeyConflicts.of(kept, request, now, config);
    if (conflict != null) {
      return conflict;
    }
    KeyText text = newText();
    StoredKey key = StoredKey.of(text, request, now, false);
    kept.add(key);
    witness.change(null, key.info(), () -> change(List.of(key), gone, kept));
    return request.secret() == null
        ? new KeyResult.Created(key.info(), text.whole())
        : new KeyResult.Brought(key.info());
  }

  /** All that are known, also the admin key that the settings replace. */
  List<StoredKey> known() {
    return known;
  }

  /** Adds keys whose ids are new; they are in force on return. */
  synchronized void add(List<StoredKey> more) throws IOException {
    List<StoredKey> all = new ArrayList<>(known);
    all.addAll(more);
    change(more, List.of(), all);
  }

  /** Keeps a key by the hash of its text, in place of its bcrypt hash. */
  private synchronized void keep(StoredKey verified, byte[] sha256) throws IOException {
    refresh();
    StoredKey by = verified.with(KeySecret.whole(sha256));
    if (known.stream().anyMatch(key -> key.isSame(verified))) { // not revoked meanwhile
      change(
          List.of(by),
          List.of(),
          known.stream().map(key -> key.isSame(verified) ? by : key).toList());
    }
  }

  /** All keys in force, and the expired ones that are still stored, the oldest first. */
  public List<KeyInfo> list() {
    return known.stream()
        .filter(this::isLetIn)
        .map(StoredKey::info)
        .sorted(Comparator.comparing(KeyInfo::createdAt).thenComparing(KeyInfo::id))
        .toList();
  }

  /** Revokes a key for good; false when there is none with this id. */
  public boolean revoke(String id) throws IOException {
    return revoke(id, KeyWitness.NONE);
  }

  /** Revokes a key likewise, in front of a witness. */
  public synchronized boolean revoke(String id, KeyWitness witness) throws IOException {
    refresh();
    List<StoredKey> kept = new ArrayList<>(known);
    List<StoredKey> gone = kept.stream().filter(key -> key.info().id().equals(id)).toList();
    if (gone.isEmpty()) {
      return removeDamaged(id, witness);
    }
    kept.removeAll(gone);
    witness.change(gone.getFirst().info(), null, () -> change(List.of(), gone, kept));
    if (gone.getFirst().isFirst()) {
      PrivateFile.delete(adminFile);
    }
    return true;
  }

  private boolean removeDamaged(String id, KeyWitness witness) throws IOException {
    if (!damaged.containsKey(id)) {
      return false;
    }
    witness.change(null, null, () -> StoreCall.change(store, List.of(), List.of(id)));
    reload();
    return true;
  }

  /** How many stored keys cannot be understood, and so let nobody in. */
  public int damaged() {
    return damaged.size();
  }

  /** How many keys there are. */
  public int size() {
    return known.size();
  }

  /** The limit of {@link #size}. */
  public int sizeMax() {
    return config.keysMax();
  }

  /** The file with the first admin key; null when the settings give another admin key. */
  public @Nullable Path adminFile() {
    boolean isInForce = known.stream().anyMatch(key -> key.isFirst() && isLetIn(key));
    return isInForce && Files.exists(adminFile) ? adminFile : null;
  }

  private boolean hasAdmin() {
    return known.stream().anyMatch(key -> key.isAdminAt(time.instant()));
  }

  private synchronized void makeAdmin() throws IOException {
    KeyText text = newText();
    Instant now = time.instant().truncatedTo(ChronoUnit.MILLIS);
    StoredKey key = StoredKey.of(text, KeyRequest.ofAdmin(), now, true);
    // The text first: after a crash between the two, a start makes another key, and loses none.
    PrivateFile.write(adminFile, (text.whole() + "\n").getBytes(StandardCharsets.US_ASCII));
    add(List.of(key));
  }

  /** Warns if the file, a copy for people, does not hold the present admin key. */
  private void warnOfWrongCopy() {
    Path copy = adminFile();
    if (copy != null && check(PrivateFile.text(copy), null, null) instanceof Denial) {
      LOG.log(Level.WARNING, "{0} does not contain the admin key in force", copy);
    }
  }

  /** Moves the keys of {@code keys.json} into the documents. */
  private synchronized void move() throws IOException {
    if (!file.exists()) {
      return;
    }
    List<StoredKey> moved = file.read();
    change(moved, List.of(), moved);
    file.delete(); // after they are durable: a crash between the two moves them again
    LOG.log(Level.INFO, "{0} keys of keys.json were moved into the documents", moved.size());
  }

  private void change(List<StoredKey> put, List<StoredKey> removed, List<StoredKey> result)
      throws IOException {
    StoreCall.change(store, put, removed.stream().map(key -> key.info().id()).toList());
    use(result);
  }

  /** Sets the rate of keys that have none of their own ({@link AuthConfig#rate}); 0: no limit. */
  public synchronized void usualRate(int perSecond) {
    usualRate = perSecond;
    accept(known);
  }

  private void use(List<StoredKey> keys) {
    accept(keys);
    if (store.isShared()) {
      copy.write(keys);
    }
  }

  private void accept(List<StoredKey> keys) {
    keys.forEach(key -> key.usualRate(usualRate));
    known = List.copyOf(keys);
    door.letIn(keys.stream().filter(this::isLetIn).toList());
  }

  /** Whether a key is in force. The admin key of the settings replaces the one in the file. */
  private boolean isLetIn(StoredKey key) {
    return config.adminKey() == null || !key.isFirst();
  }

  private KeyText newText() {
    Set<String> taken = known.stream().map(key -> key.info().id()).collect(Collectors.toSet());
    return KeyText.byChance(random, taken);
  }
}
