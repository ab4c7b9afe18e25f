package gilmok.collect;

/** A sink whose acknowledgement counts in place of this node's disk. Thread-safe. */
public interface AckSink {
  /** An append that waits for the sink. Told once, by either call, which must not block. */
  interface Waiting {
    /** The sink has acknowledged all its records. */
    void acknowledged();

    /** The sink has not acknowledged all of them in time. */
    void late();
  }

  /** The sink's name, for receipts. */
  String name();

  /** Whether another append may wait: not while the sink is away, but for one in a while. */
  boolean mayWait();

  /** Whether as many wait as may. */
  boolean isFull();

  /** Waits for the records from one sequence to another, all of one append. */
  void await(long first, long last, Waiting waiting);

  /** Waits for every record up to a sequence. */
  void awaitAll(long last, Waiting waiting);
}
