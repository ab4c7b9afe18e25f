package gilmok.http;

/** How a route finds out whose business a request is, so that a bound key sees only its own. */
public enum OwnershipRule {
  /** Needs no key at all. */
  OPEN,
  /** A bound key never gets in. */
  UNBOUND_ONLY,
  /** The rider named by the path's parameter {@code id}; checked before the handler runs. */
  RIDER_IN_PATH,
  /** Named in the body; the handler checks it. */
  IN_BODY,
  /** Named in the query; the handler checks it. */
  IN_QUERY,
  /** Known once what the path names has been looked up; the handler checks it. */
  BY_ID,
  /**
   * As {@link #IN_BODY}, from an app that cannot be told what it does wrong: the key may also be in
   * the form it sends, and a body that is too long is cut rather than refused.
   */
  PHONE
}
