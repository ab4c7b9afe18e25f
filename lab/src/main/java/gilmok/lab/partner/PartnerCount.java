package gilmok.lab.partner;

/** The counters of a {@link PartnerStand}. */
public enum PartnerCount {
  /** Webhooks received, whatever the result. */
  CALLS,
  /** Webhooks answered 204 and accepted. */
  TAKEN,
  /** Accepted webhooks that had been accepted before. */
  REPEATS,
  /** Accepted webhooks before which one is missing. */
  GAPS,
  /** Accepted webhooks that arrived after a later one of the same delivery. */
  DISORDERED,
  /** Answered 401: no signature is valid, or the timestamp is too old or too new. */
  UNSIGNED,
  /** Answered 400: not in the form of the specification and the documentation. */
  UNREADABLE,
  /** Answered 500 as configured. */
  FAILED,
  /** Connections closed without a response, as configured. */
  REFUSED,
  /** Responses delayed as configured. */
  HUNG,
  /** Deliveries with at least one accepted event. */
  DELIVERIES,
  /** Deliveries whose last event and all events before it were accepted. */
  WHOLE
}
