package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * That a delivery arrived: a code that the customer gave, or a photo or signature that is kept
 * elsewhere.
 *
 * @param kind what it is
 * @param code what the customer said; null but for {@link Kind#CODE}
 * @param sha256 of the content, 64 hexadecimal digits; null for {@link Kind#CODE}
 * @param url where the content is; null for {@link Kind#CODE}
 */
public record DeliveryProof(
    Kind kind, @Nullable String code, @Nullable String sha256, @Nullable String url) {
  /** What can prove it. */
  public enum Kind {
    CODE,
    PHOTO,
    SIGNATURE
  }
}
