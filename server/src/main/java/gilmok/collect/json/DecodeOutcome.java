package gilmok.collect.json;

/** What became of a body. */
public enum DecodeOutcome {
  /** It was read; what was found, and what was rejected, is in the {@code Events}. */
  READ,
  /** It is no JSON; nothing of it is kept. */
  UNREADABLE,
  /** It holds more than {@link JsonDecoder#RECORDS_MAX} records; nothing of it is kept. */
  TOO_MANY
}
