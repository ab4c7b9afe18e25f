package gilmok.sinks;

import java.util.BitSet;

/** Parts of a batch, as the indexes of their records. */
final class Indexes {
  private Indexes() {}

  /** A part of one record. */
  static BitSet of(int index) {
    BitSet one = new BitSet();
    one.set(index);
    return one;
  }

  /** Divides a part: the first half, rounded down, and the second. */
  static BitSet[] halves(BitSet part) {
    BitSet first = new BitSet();
    BitSet second = new BitSet();
    int half = part.cardinality() / 2;
    for (int i = part.nextSetBit(0); i >= 0; i = part.nextSetBit(i + 1)) {
      (first.cardinality() < half ? first : second).set(i);
    }
    return new BitSet[] {first, second};
  }

  /** Translates a verdict's indexes, which count the sent records, to indexes of the batch. */
  static BitSet ofBatch(BitSet indexes, BitSet sent) {
    BitSet ours = new BitSet();
    int index = 0;
    for (int i = sent.nextSetBit(0); i >= 0; i = sent.nextSetBit(i + 1)) {
      ours.set(i, indexes.get(index++));
    }
    return ours;
  }

  /** The sequences of a part. */
  static Sequences sequences(Batch batch, BitSet part) {
    Sequences sequences = new Sequences();
    for (int i = part.nextSetBit(0); i >= 0; i = part.nextSetBit(i + 1)) {
      sequences.add(batch.sequence(i));
    }
    return sequences;
  }
}
