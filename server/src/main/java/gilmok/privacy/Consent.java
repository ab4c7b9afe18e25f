package gilmok.privacy;

import gilmok.event.JsonBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What counts for a rider since a moment. Immutable.
 *
 * @param riderId the rider; of one who was erased, the pseudonym
 * @param state what was said
 * @param purposes what it was said of, as bits ({@link Purpose#bit})
 * @param atMillis since when, epoch ms
 * @param keyId the id of the key that said it
 * @param digest of an erased rider, what the id was hashed to; null for a rider whose id is there
 */
public record Consent(
    String riderId,
    ConsentState state,
    int purposes,
    long atMillis,
    String keyId,
    @Nullable RiderDigest digest) {
  /** The bit that says that the rider is off duty, rather than that consent was withdrawn. */
  static final int OFF_DUTY = 8;

  /** The consent of a rider whose id is known. */
  Consent(String riderId, ConsentState state, int purposes, long atMillis, String keyId) {
    this(riderId, state, purposes, atMillis, keyId, null);
  }

  /** The purposes for which nothing is shown now, as bits; what is not granted is withheld. */
  int withheld() {
    return state == ConsentState.GRANTED ? Purpose.ALL & ~purposes : purposes;
  }

  /** {@link #withheld}, and why. */
  int code() {
    return withheld() | (state == ConsentState.OFF_DUTY ? OFF_DUTY : 0);
  }

  /** Whether positions are collected: for one purpose at least. */
  boolean isCollected() {
    return withheld() != Purpose.ALL;
  }

  /** The same, of a rider whose id is not to be known any more. */
  Consent erased(String pseudonym, RiderDigest ofId) {
    return new Consent(pseudonym, state, purposes, atMillis, keyId, ofId);
  }

  /** The same, as it is shown to somebody who knows the id. */
  Consent of(String rider) {
    return new Consent(rider, state, purposes, atMillis, keyId);
  }

  private List<Purpose> purposeList() {
    return Stream.of(Purpose.values()).filter(one -> (purposes & one.bit()) != 0).toList();
  }

  void writeJson(JsonBuffer out) {
    out.ascii("{\"riderId\":").string(riderId);
    out.ascii(",\"state\":\"").ascii(state.label()).ascii("\",\"purposes\":");
    out.strings(purposeList().stream().map(Purpose::label).toList());
    out.ascii(",\"collected\":").ascii(isCollected() ? "true" : "false");
    out.ascii(",\"since\":").time(atMillis).put('}');
  }

  /** As the audit shows it. */
  String json() {
    JsonBuffer out = new JsonBuffer().ascii("{\"state\":\"").ascii(state.label());
    out.ascii("\",\"purposes\":").strings(purposeList().stream().map(Purpose::label).toList());
    return out.put('}').toString();
  }
}
