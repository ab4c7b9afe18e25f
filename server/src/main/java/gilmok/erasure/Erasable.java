package gilmok.erasure;

import gilmok.event.RiderAlias;
import java.io.IOException;
import java.util.List;

/**
 * Something that keeps data of riders, and can erase them. Idempotent: what is done already is not
 * found again. Thread-safe; calls block.
 */
public interface Erasable {
  /** Its name in certificates; {@code a-z} and dashes. */
  String name();

  /** When an erasure comes to it. */
  When when();

  /**
   * Erases a rider. Durable on return.
   *
   * @throws IOException when it cannot be done now; it is tried again until it can
   */
  Outcome erase(RiderAlias rider, Progress progress) throws IOException, InterruptedException;

  /** When an erasure comes to something. */
  enum When {
    /** In each of the two passes. */
    TWICE,
    /** Once, behind both. */
    LAST,
    /** Once, behind all others; erasures that have come so far share it. */
    SHARED
  }

  /** Is told how far a long step is. */
  @FunctionalInterface
  interface Progress {
    /** For nobody. */
    Progress NONE = (done, of) -> {};

    /** So much of so much is done, in whatever unit. */
    void reached(long done, long of);
  }

  /**
   * What was done.
   *
   * @param erased how many records are gone
   * @param pseudonymised how many have to stay, and have the pseudonym now
   * @param left what is out of reach, and has to be erased by hand
   */
  record Outcome(long erased, long pseudonymised, List<Left> left) {
    /** Nothing was found. */
    public static final Outcome NOTHING = new Outcome(0, 0, List.of());

    public Outcome {
      left = List.copyOf(left);
    }

    /** Something is out of reach. */
    public static Outcome left(String place, String key) {
      return new Outcome(0, 0, List.of(new Left(place, key)));
    }
  }

  /**
   * Something of the rider that this server cannot erase.
   *
   * @param place what it is and where, as in "topic riders of kafka"
   * @param key by what it is found there
   */
  record Left(String place, String key) {}

  /** Counts what it erases or renames. */
  @FunctionalInterface
  interface Counting {
    /** Does the work; returns of how many records. */
    long erase(RiderAlias rider) throws IOException, InterruptedException;
  }

  /** Something whose records are gone then. */
  static Erasable erasing(String name, Counting work) {
    return of(name, When.TWICE, rider -> new Outcome(work.erase(rider), 0, List.of()));
  }

  /** Something whose records stay, and have the pseudonym then. */
  static Erasable renaming(String name, Counting work) {
    return of(name, When.TWICE, rider -> new Outcome(0, work.erase(rider), List.of()));
  }

  /** Does work that takes long. */
  @FunctionalInterface
  interface Watched {
    /** See {@link Erasable#erase}. */
    Outcome erase(RiderAlias rider, Progress progress) throws IOException, InterruptedException;
  }

  /** Something that takes long. */
  static Erasable watched(String name, Watched work) {
    return new Named(name, When.TWICE, work);
  }

  /** Does the work of an erasable. */
  @FunctionalInterface
  interface Work {
    /** See {@link Erasable#erase}. */
    Outcome erase(RiderAlias rider) throws IOException, InterruptedException;
  }

  /** Something of that name. */
  static Erasable of(String name, When when, Work work) {
    return new Named(name, when, (rider, _) -> work.erase(rider));
  }

  /** An erasable of these parts. */
  record Named(String name, When when, Watched work) implements Erasable {
    @Override
    public Outcome erase(RiderAlias rider, Progress progress)
        throws IOException, InterruptedException {
      return work.erase(rider, progress);
    }
  }
}
