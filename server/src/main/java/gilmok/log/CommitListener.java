package gilmok.log;

/**
 * Is told of every group of records as it becomes durable, while its bytes are at hand: for who
 * does next to nothing with each record, so that reading it again would cost more. Records from
 * before it listened, or that it could not take, it reads ({@link Log#reader}).
 */
@FunctionalInterface
public interface CommitListener {
  /**
   * The records are durable; who waits for them was answered, and {@link Log#durable} says so. On
   * the log's writer thread, which must not be held up: some nanoseconds for a record. Throws
   * nothing: whatever is thrown here ends the log. The records are valid until it returns.
   */
  void committed(CommittedRecords records);
}
