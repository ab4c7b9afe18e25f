package gilmok.http;

/**
 * How a route finds the owner of the data that a request is about, so that a bound key sees only
 * its own.
 */
public enum OwnershipRule {
  /** Needs no key at all. */
  OPEN,
  /** A bound key is always refused. */
  UNBOUND_ONLY,
  /** The owner is the rider in the path's parameter {@code id}; checked before the handler runs. */
  RIDER_IN_PATH,
  /** As {@link #RIDER_IN_PATH}; a key that is bound to the rider needs no scope. */
  OWN_RIDER_OR_SCOPE,
  /** The owner is named in the body; the handler checks it. */
  IN_BODY,
  /** The owner is named in the query; the handler checks it. */
  IN_QUERY,
  /** The owner is known after a look-up of what the path names; the handler checks it. */
  BY_ID,
  /**
   * As {@link #IN_BODY}, for an app that cannot understand a refusal: its key may also be in the
   * form that it sends, and a body that is too long is cut rather than refused.
   */
  PHONE
}
