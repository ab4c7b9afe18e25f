package gilmok.history;

/** How many rows a question has read and answered. Not thread-safe: one thread at a time has it. */
final class QuestionCounts {
  private long read;
  private long answered;

  /** Rows were read, of the log or of files. */
  void read(long rows) {
    read += rows;
  }

  /** A row went into the answer. */
  void answered() {
    answered++;
  }

  long rowsRead() {
    return read;
  }

  long rowsAnswered() {
    return answered;
  }
}
