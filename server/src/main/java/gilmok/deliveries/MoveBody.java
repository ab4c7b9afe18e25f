package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.QuarantinedEncoder;
import gilmok.event.Reason;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads moves from the bodies of the delivery routes and from riders' actions.
 *
 * <p>Not thread-safe: one for each event loop.
 */
record MoveBody(JsonDocument document, Fields fields) {
  private static final int ID_CHARS_MAX = 128;
  private static final int REASON_CHARS_MAX = 512;
  private static final Map<Step, Set<String>> MEMBERS = members();

  private static Map<Step, Set<String>> members() {
    Map<Step, Set<String>> members = new EnumMap<>(Step.class);
    for (Step step : Step.values()) {
      Set<String> own = new HashSet<>(Set.of("at", "lat", "lon"));
      switch (step) {
        case ACCEPT -> own.add("agencyId");
        case ASSIGN -> own.add("riderId");
        case COMPLETE -> own.add("proof");
        case UNASSIGN, DECLINE, CANCEL, FAIL -> own.add("reason");
        case CREATE, PICK_UP -> {}
      }
      members.put(step, Set.copyOf(own));
    }
    return members;
  }

  /**
   * Reads the move that a body asks for; null when something is wrong, which {@code fields} then
   * describe.
   *
   * @param body the object in the document; {@link JsonDocument#NONE} for an empty body
   * @param source the request's {@link IdempotencyKey}; null without one
   */
  @Nullable Move read(
      int body,
      Step step,
      Principal caller,
      @Nullable Integer ifVersion,
      @Nullable String source,
      long nowMillis) {
    Binding binding = caller.binding();
    fields.begin();
    if (body != JsonDocument.NONE) {
      fields.only(body, "", Objects.requireNonNull(MEMBERS.get(step)));
    }
    Long at = fields.time(body, "", "at");
    Double lat = fields.number(body, "", "lat", -90, 90);
    Double lon = fields.number(body, "", "lon", -180, 180);
    if ((lat == null) != (lon == null)) {
      fields.wrong(lat == null ? "lat" : "lon", Reason.MISSING);
    }
    Move move =
        new Move(
            step,
            "key:" + caller.keyId(),
            binding,
            at == null ? nowMillis : at,
            nowMillis,
            ifVersion,
            new StepDetails(
                lat,
                lon,
                step == Step.ASSIGN ? fields.need(body, "", "riderId", ID_CHARS_MAX) : null,
                step == Step.ACCEPT ? agency(body, binding) : null,
                fields.text(body, "", "reason", REASON_CHARS_MAX),
                proof(body),
                source));
    return fields.isGood() ? move : null;
  }

  /** The accepting agency: the one in the body, else the one the key is bound to. */
  private @Nullable String agency(int body, @Nullable Binding binding) {
    String said = fields.text(body, "", "agencyId", ID_CHARS_MAX);
    return said == null && binding != null && binding.kind() == Binding.Kind.AGENCY
        ? binding.id()
        : said;
  }

  /**
   * Adds to a rider's action what its attributes say. Unusable attributes are left out; the log has
   * the action as it was sent.
   *
   * @param attributes holds the action's attributes, the whole text of a JSON document
   */
  Move with(Move action, byte[] attributes, int offset, int length) {
    int root = document.read(attributes, offset, length);
    fields.begin();
    String reason = fields.text(root, "", "reason", REASON_CHARS_MAX);
    fields.begin();
    DeliveryProof deliveryProof = action.step() == Step.COMPLETE ? proof(root) : null;
    fields.begin();
    Long quarantinedAt = fields.time(root, "", QuarantinedEncoder.QUARANTINED_AT);
    StepDetails said = action.details();
    return new Move(
        action.step(),
        action.by(),
        action.binding(),
        action.atMillis(),
        quarantinedAt == null
            ? action.arrivedAtMillis()
            : Math.min(quarantinedAt, action.arrivedAtMillis()),
        action.ifVersion(),
        new StepDetails(
            said.lat(),
            said.lon(),
            said.riderId(),
            said.agencyId(),
            reason,
            deliveryProof,
            said.source()));
  }

  /** Reads the member {@code proof}; null when there is none, or something is wrong. */
  @Nullable DeliveryProof proof(int object) {
    int proof = fields.object(object, "proof");
    if (proof == JsonDocument.NONE) {
      return null;
    }
    fields.only(proof, "proof.", Set.of("kind", "code", "sha256", "url"));
    String label = fields.need(proof, "proof.", "kind", 16);
    String code = fields.text(proof, "proof.", "code", 64);
    String sha256 = fields.text(proof, "proof.", "sha256", 64);
    String url = fields.text(proof, "proof.", "url", 2048);
    DeliveryProof.Kind kind =
        switch (label) {
          case "code" -> DeliveryProof.Kind.CODE;
          case "photo" -> DeliveryProof.Kind.PHOTO;
          case "signature" -> DeliveryProof.Kind.SIGNATURE;
          default -> null;
        };
    if (kind == null) {
      fields.wrong("proof.kind", "must be code, photo or signature");
      return null;
    }
    if (kind == DeliveryProof.Kind.CODE) {
      if (code == null) {
        fields.wrong("proof.code", Reason.MISSING);
      } else if (sha256 != null || url != null) {
        fields.wrong(sha256 == null ? "proof.url" : "proof.sha256", "is not for a code");
      }
    } else if (code != null) {
      fields.wrong("proof.code", "is only for a code");
    } else if (sha256 == null
        || sha256.length() != 64
        || !sha256.chars().allMatch(HexFormat::isHexDigit)) {
      fields.wrong("proof.sha256", "needs 64 hexadecimal digits");
    } else if (url == null || !(url.startsWith("https://") || url.startsWith("http://"))) {
      fields.wrong("proof.url", "needs an http or https URL");
    }
    return fields.isGood() ? new DeliveryProof(kind, code, sha256, url) : null;
  }
}
