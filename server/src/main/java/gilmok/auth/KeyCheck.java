package gilmok.auth;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks keys and sessions, on every request that needs one. Neither blocks nor asks the documents.
 * Thread-safe.
 */
final class KeyCheck {
  private static final String GIVEN_ADMIN_ID = "admin-key";

  /** How far the clocks of two nodes may be apart. */
  private static final Duration CLOCK_SKEW_MAX = Duration.ofMinutes(5);

  private final InstantSource time;
  private final Duration sessionLifetime;
  private final byte @Nullable [] givenAdminHash;
  private final Principal givenAdmin =
      new Principal(GIVEN_ADMIN_ID, KeyRequest.ADMIN_NAME, EnumSet.allOf(Scope.class), null);
  private final ThreadLocal<PresentedKey> shown = ThreadLocal.withInitial(PresentedKey::new);
  private final ThreadLocal<SessionCodec> seals;
  private final ThreadLocal<PersonSessions> people;
  private final BcryptCheck bcrypt;
  private final @Nullable JwtCheck jwt;
  private volatile KeyTable table = new KeyTable(List.of());
  private volatile boolean isSeen;

  /** Lets nobody in yet, except with the admin key of the settings. */
  KeyCheck(AuthConfig config, SessionSecrets secrets, InstantSource time, BcryptCheck.Found found) {
    this.time = time;
    bcrypt = new BcryptCheck(found);
    jwt = config.jwt() == null ? null : new JwtCheck(config.jwt(), time);
    seals = ThreadLocal.withInitial(() -> new SessionCodec(secrets));
    people = ThreadLocal.withInitial(() -> new PersonSessions(secrets));
    sessionLifetime = config.sessionLifetime();
    String given = config.adminKey();
    givenAdminHash = given == null ? null : PresentedKey.hashOf(given);
  }

  /** The clock that keys and sessions end by. */
  InstantSource time() {
    return time;
  }

  /** Lets in exactly these keys from now on. */
  void letIn(List<StoredKey> keys) {
    table = new KeyTable(keys);
  }

  /** Notes that all keys were read: from now on an unknown key does not exist. */
  void allSeen() {
    isSeen = true;
  }

  /** Whether all keys were read since the start. */
  boolean isSeen() {
    return isSeen;
  }

  /** See {@link Keys#check}. */
  AuthResult check(
      @Nullable String apiKeyHeader,
      @Nullable String authorizationHeader,
      @Nullable String keyParameter,
      ClientAddress client) {
    PresentedKey credential = shown.get();
    boolean isToken =
        jwt != null && apiKeyHeader != null && credential.findToken(authorizationHeader);
    Denial denial =
        isToken ? null : credential.find(apiKeyHeader, authorizationHeader, keyParameter);
    AuthResult result = denial == null ? verdict(credential, client) : denial;
    credential.clear();
    return result;
  }

  /** See {@link Keys#isStillGood}. */
  boolean isStillGood(Principal principal) {
    Long end = principal.endsAtMillis();
    if (end != null && time.millis() >= end) {
      return false;
    }
    if (principal.keyId().equals(givenAdmin.keyId())
        || principal.keyId().startsWith(JwtCheck.ID_PREFIX)) {
      return true;
    }
    String id = principal.keyId();
    StoredKey key = table.find(id, 0, id.length());
    return key != null && key.info().activeAt(time.instant());
  }

  /** See {@link Keys#openSession}. */
  @Nullable Session openSession(Principal principal) {
    String id = principal.keyId();
    Instant now = time.instant();
    Instant end = now.plus(sessionLifetime);
    StoredKey key = table.find(id, 0, id.length());
    byte[] hash = id.equals(givenAdmin.keyId()) ? givenAdminHash : null;
    if (key != null) {
      hash = key.hash();
      Instant keyEnd = key.info().expiresAt();
      end = keyEnd != null && keyEnd.isBefore(end) ? keyEnd : end;
    }
    if (hash == null) {
      return id.startsWith(JwtCheck.ID_PREFIX) ? sessionOf(principal, now) : null;
    }
    long lifetime = Math.max(0, end.getEpochSecond() - now.getEpochSecond());
    return new Session(
        seals.get().text(id, hash, now.getEpochSecond(), end.getEpochSecond()),
        Duration.ofSeconds(lifetime));
  }

  /** See {@link Keys#checkLogin}. */
  AuthResult checkLogin(String token, String audience, String nonce) throws InterruptedException {
    if (jwt == null) {
      return Denial.UNKNOWN;
    }
    AuthResult result = jwt.checkLogin(token, audience, nonce);
    // The token of a login says who has signed in just now, and need not live as long as a session.
    return result instanceof Principal person
        ? person.until(time.millis() + jwt.sessionLifetime().plus(jwt.skew()).toMillis())
        : result;
  }

  /** A session of somebody with a token, which it does not outlive. */
  private @Nullable Session sessionOf(Principal person, Instant now) {
    Long tokenEnd = person.endsAtMillis();
    if (jwt == null || tokenEnd == null) {
      return null;
    }
    long begin = now.toEpochMilli();
    long ofToken = tokenEnd - jwt.skew().toMillis() - begin;
    long left = Math.min(jwt.sessionLifetime().toMillis(), ofToken);
    return left <= 0
        ? null
        : new Session(people.get().text(person, begin + left), Duration.ofMillis(left));
  }

  /** The verdict on a session of somebody who signed in, or on the token of a trusted proxy. */
  private AuthResult verdictOfPerson(String session) {
    if (jwt == null) {
      return Denial.UNKNOWN;
    }
    if (!PersonSessions.isLikeOne(session)) {
      return jwt.check(session);
    }
    Principal person = people.get().read(session);
    Long end = person == null ? null : person.endsAtMillis();
    if (person == null || end == null) {
      return Denial.UNKNOWN;
    }
    return time.millis() < end ? person : Denial.EXPIRED;
  }

  /**
   * The caller with that session.
   *
   * @param session the value of its cookie
   */
  AuthResult checkSession(String session) {
    if (PersonSessions.isLikeOne(session) || JwtCheck.isLikeOne(session, 0, session.length())) {
      return verdictOfPerson(session);
    }
    SessionCodec sessions = seals.get();
    AuthResult result = sessions.read(session) ? verdict(sessions) : Denial.UNKNOWN;
    sessions.clear();
    return result instanceof Principal principal ? principal.until(endMillis(sessions)) : result;
  }

  private AuthResult verdict(PresentedKey credential, ClientAddress client) {
    String text = credential.text();
    int start = credential.start();
    int end = credential.end();
    if (jwt != null && JwtCheck.isLikeOne(text, start, end)) {
      return jwt.check(text.substring(start, end));
    }
    if (end - start > PresentedKey.LENGTH_MAX) {
      return Denial.UNKNOWN;
    }
    int id = start + KeyText.PREFIX.length();
    int secret = text.startsWith(KeyText.PREFIX, start) ? text.indexOf('_', id, end) + 1 : 0;
    StoredKey key = secret == 0 ? null : table.find(text, id, secret - 1);
    if (key != null && equal(key.hash(), credential.hash(text, secret, end))) {
      return key.verdict(key.isTimed() ? time.millis() : 0);
    }
    byte[] whole = credential.hash(text, start, end);
    if (givenAdminHash != null && equal(givenAdminHash, whole)) {
      return givenAdmin;
    }
    if (key != null) {
      return Denial.UNKNOWN;
    }
    return whole == null ? unknown() : brought(text, start, end, whole, client);
  }

  /** The verdict on a key that was not made here. */
  private AuthResult brought(String text, int start, int end, byte[] whole, ClientAddress client) {
    StoredKey brought = table.find(whole);
    if (brought != null) {
      return brought.verdict(brought.isTimed() ? time.millis() : 0);
    }
    List<StoredKey> candidates = table.beginningAs(text, start, end);
    return candidates.isEmpty() || !BcryptCheck.isKey(text, start, end)
        ? unknown()
        : bcrypt.check(candidates, text.substring(start, end), whole, client);
  }

  private AuthResult verdict(SessionCodec sessions) {
    StoredKey key = table.find(sessions.text(), 0, sessions.idEnd());
    if (key != null) {
      if (!sessions.isOf(key.hash())) {
        return Denial.UNKNOWN;
      }
      long now = time.millis();
      return isInTime(sessions, now) ? key.verdict(now) : Denial.EXPIRED;
    }
    boolean isAdmin =
        givenAdminHash != null
            && sessions.idEnd() == GIVEN_ADMIN_ID.length()
            && sessions.text().startsWith(GIVEN_ADMIN_ID)
            && sessions.isOf(givenAdminHash);
    if (!isAdmin) {
      return unknown();
    }
    return isInTime(sessions, time.millis()) ? givenAdmin : Denial.EXPIRED;
  }

  /** When a session ends: at its own end, and not later than today's lifetime after its begin. */
  private long endMillis(SessionCodec sessions) {
    long begun = sessions.begunSeconds() * 1000;
    return Math.min(sessions.expirySeconds() * 1000, begun + sessionLifetime.toMillis());
  }

  /** Whether a session was begun, by a clock that may be ahead of ours, and has not ended. */
  private boolean isInTime(SessionCodec sessions, long nowMillis) {
    long begun = sessions.begunSeconds() * 1000;
    return begun <= nowMillis + CLOCK_SKEW_MAX.toMillis() && nowMillis < endMillis(sessions);
  }

  /**
   * The denial of an unknown key. While not all keys were read since the start, the key may exist.
   */
  private Denial unknown() {
    return isSeen ? Denial.UNKNOWN : Denial.NOT_SEEN;
  }

  /** Compares in constant time, wherever the two differ. */
  private static boolean equal(byte[] expected, byte @Nullable [] actual) {
    return actual != null && MessageDigest.isEqual(expected, actual);
  }
}
