package gilmok.collect;

import gilmok.log.Stream;

/** Is told what became of each request's records. Called on event loops, by several at once. */
public interface CollectMeter {
  /** Counts nothing. */
  CollectMeter NONE =
      new CollectMeter() {
        @Override
        public void collected(Stream stream, int accepted, int duplicates, int quarantined) {}

        @Override
        public void uploaded(String dialect) {}
      };

  /** A phone's upload was answered 200. */
  void uploaded(String dialect);

  /** A request was answered 202 or, to a phone, 200. */
  void collected(Stream stream, int accepted, int duplicates, int quarantined);
}
