package gilmok.cli;

/**
 * One record of a recording, ready to be sent.
 *
 * @param line where it starts in the file, from 1
 * @param path the route that takes it, as in {@code /v1/traces}
 * @param riderId its rider; empty when the record does not say
 * @param atMillis its time in milliseconds since 1970, or {@link ReplayPace#UNKNOWN}
 * @param json the record as the API takes it
 */
record RecordingEntry(long line, String path, String riderId, long atMillis, String json) {}
