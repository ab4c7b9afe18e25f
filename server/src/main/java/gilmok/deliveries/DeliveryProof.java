package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * Proof that a delivery arrived: a code from the customer, or a photo or signature stored
 * elsewhere. Immutable.
 *
 * @param kind the kind of proof
 * @param code the customer's code; null except for {@link Kind#CODE}
 * @param sha256 the content's hash, 64 hexadecimal digits; null for {@link Kind#CODE}
 * @param url where the content is stored; null for {@link Kind#CODE}
 */
public record DeliveryProof(
    Kind kind, @Nullable String code, @Nullable String sha256, @Nullable String url) {
  /** The kinds of proof. */
  public enum Kind {
    CODE,
    PHOTO,
    SIGNATURE
  }
}
