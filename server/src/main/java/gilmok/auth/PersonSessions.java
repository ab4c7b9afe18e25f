package gilmok.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes and reads the sessions of people who signed in with a token: {@code
 * person.<claims>.<seal>}, the claims as JSON in Base64url, the seal an HMAC-SHA256 of all before
 * it by one of {@link SessionSecrets}. Nothing is stored: such a session ends by its time, or when
 * its secret is changed. Not thread-safe: one for each thread.
 */
final class PersonSessions {
  private static final String BEGIN = "person.";

  /** Browsers keep cookies up to 4 kB. */
  private static final int LENGTH_MAX = 3_500;

  private static final Base64.Encoder TO_TEXT = Base64.getUrlEncoder().withoutPadding();
  private final List<Mac> macs;

  PersonSessions(SessionSecrets secrets) {
    macs = secrets.all().stream().map(SessionCodec::mac).toList();
  }

  /** Whether a text is none of a key's session. */
  static boolean isLikeOne(String text) {
    return text.startsWith(BEGIN);
  }

  /** The text of a session of somebody whose {@link Principal#endsAtMillis} says when it ends. */
  String text(Principal person, long endsAtMillis) {
    ObjectNode claims = JsonMapper.shared().createObjectNode();
    claims.put("id", person.keyId());
    claims.put("name", person.name());
    ArrayNode scopes = claims.putArray("scopes");
    person.scopes().stream().sorted().forEach(scope -> scopes.add(scope.name()));
    if (person.binding() != null) {
      claims.put("kind", person.binding().kind().name());
      claims.put("of", person.binding().id());
    }
    claims.put("end", endsAtMillis);
    String sealed = BEGIN + TO_TEXT.encodeToString(JsonMapper.shared().writeValueAsBytes(claims));
    return sealed + '.' + TO_TEXT.encodeToString(seal(macs.getFirst(), sealed));
  }

  /** Who has that session, ended or not; null when it is none of ours. Never throws. */
  @Nullable Principal read(String text) {
    int dot = text.lastIndexOf('.');
    if (text.length() > LENGTH_MAX || dot <= BEGIN.length()) {
      return null;
    }
    try {
      byte[] shown = Base64.getUrlDecoder().decode(text.substring(dot + 1));
      String sealed = text.substring(0, dot);
      boolean isOurs = false;
      for (Mac mac : macs) {
        isOurs |= MessageDigest.isEqual(seal(mac, sealed), shown);
      }
      return isOurs
          ? principal(Base64.getUrlDecoder().decode(sealed.substring(BEGIN.length())))
          : null;
    } catch (IllegalArgumentException | JacksonException broken) {
      return null;
    }
  }

  private static Principal principal(byte[] json) {
    JsonNode claims = JsonMapper.shared().readTree(json);
    EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
    claims.path("scopes").forEach(scope -> scopes.add(Scope.valueOf(scope.asString())));
    Binding binding =
        claims.has("kind")
            ? new Binding(
                Binding.Kind.valueOf(claims.path("kind").asString()), claims.path("of").asString())
            : null;
    return new Principal(
        claims.path("id").asString(),
        claims.path("name").asString(),
        scopes,
        binding,
        claims.path("end").asLong());
  }

  private static byte[] seal(Mac mac, String sealed) {
    mac.update("gilmok person 1 ".getBytes(StandardCharsets.US_ASCII));
    return mac.doFinal(sealed.getBytes(StandardCharsets.UTF_8));
  }
}
