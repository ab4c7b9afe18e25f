package gilmok.collect;

import gilmok.log.Stream;

/** Is told what became of each request's records. Called on event loops, by several at once. */
@FunctionalInterface
public interface CollectMeter {
  /** Counts nothing. */
  CollectMeter NONE = (stream, accepted, duplicates, quarantined) -> {};

  /** A request was answered 202. */
  void collected(Stream stream, int accepted, int duplicates, int quarantined);
}
