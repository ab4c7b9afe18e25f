package gilmok.collect.json;

/** The outcome of decoding a body. */
public enum DecodeOutcome {
  /** It was read; events and rejects are in the {@code Events}. */
  READ,
  /** It is no JSON; nothing of it is kept. */
  UNREADABLE,
  /** It holds more than {@link JsonDecoder#RECORDS_MAX} records; nothing of it is kept. */
  TOO_MANY
}
