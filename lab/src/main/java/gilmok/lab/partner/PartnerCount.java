package gilmok.lab.partner;

/** What a {@link PartnerStand} counts. */
public enum PartnerCount {
  /** Webhooks that came, whatever became of them. */
  CALLS,
  /** Answered 204 and taken. */
  TAKEN,
  /** Of these, those that had been taken before. */
  REPEATS,
  /** Of these, those that came although one before them is missing. */
  GAPS,
  /** Of these, those that came after a later one of the same delivery. */
  DISORDERED,
  /** Answered 401: no signature fits, or its time is too far away. */
  UNSIGNED,
  /** Answered 400: not what the specification and the documents say. */
  UNREADABLE,
  /** Answered 500 on demand. */
  FAILED,
  /** Their connection closed on demand, without an answer. */
  REFUSED,
  /** Left hanging on demand. */
  HUNG,
  /** Deliveries of which something was taken. */
  DELIVERIES,
  /** Deliveries that have come to their end, with every event before it. */
  WHOLE
}
