package gilmok.sinks;

import gilmok.event.JsonBuffer;
import gilmok.log.Stream;
import gilmok.storage.NodeId;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The records of one {@code send}: all of one node, in the order of their sequences. Their bytes
 * are encoded events ({@code gilmok.event}).
 *
 * <p>Filled by the thread that reads the log; not changed once it is in flight.
 */
public final class Batch {
  private final NodeId node;
  private final String nodeText;
  private byte[] bytes;
  private long[] sequences;
  private long[] receivedAtMillis;
  private Stream[] streams;
  private int[] offsets;
  private int[] lengths;
  private int size;
  private int end;
  private long recordBytes;

  /** An empty batch. */
  public Batch(NodeId node) {
    this(node, 64, new byte[8192]);
  }

  /** An empty batch with room for that many records and bytes; it grows beyond them. */
  Batch(NodeId node, int records, int bytes) {
    this(node, Math.max(1, records), new byte[Math.max(64, bytes)]);
  }

  private Batch(NodeId node, int records, byte[] bytes) {
    this.node = node;
    nodeText = node.toString();
    this.bytes = bytes;
    sequences = new long[records];
    receivedAtMillis = new long[records];
    streams = new Stream[records];
    offsets = new int[records];
    lengths = new int[records];
  }

  /** Adds a record; its bytes are copied. */
  public void add(
      Stream stream, long sequence, long receivedAt, byte[] source, int offset, int length) {
    if (end + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end + length, 2 * bytes.length));
    }
    System.arraycopy(source, offset, bytes, end, length);
    note(stream, sequence, receivedAt, end, length);
    end += length;
  }

  /** A batch of some of these records, in the order of their indexes; it shares the bytes. */
  public Batch only(BitSet indexes) {
    Batch some = new Batch(node, Math.max(1, indexes.cardinality()), bytes);
    for (int i = indexes.nextSetBit(0); i >= 0; i = indexes.nextSetBit(i + 1)) {
      some.note(streams[i], sequences[i], receivedAtMillis[i], offsets[i], lengths[i]);
    }
    some.end = end;
    return some;
  }

  private void note(Stream stream, long sequence, long receivedAt, int offset, int length) {
    if (size == sequences.length) {
      sequences = Arrays.copyOf(sequences, 2 * size);
      receivedAtMillis = Arrays.copyOf(receivedAtMillis, 2 * size);
      streams = Arrays.copyOf(streams, 2 * size);
      offsets = Arrays.copyOf(offsets, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
    }
    sequences[size] = sequence;
    receivedAtMillis[size] = receivedAt;
    streams[size] = stream;
    offsets[size] = offset;
    lengths[size] = length;
    size++;
    recordBytes += length;
  }

  /** The number of records. */
  public int size() {
    return size;
  }

  /** The bytes of all records, encoded as in the log. */
  public long recordBytes() {
    return recordBytes;
  }

  /** The node that assigned the sequences. */
  public NodeId node() {
    return node;
  }

  /** The sequence of a record in its node's log. */
  public long sequence(int i) {
    return sequences[i];
  }

  /** Writes a record's id, {@code node:sequence}. */
  public JsonBuffer writeId(int i, JsonBuffer out) {
    return out.ascii(nodeText).put(':').number(sequences[i]);
  }

  /** Whether the record with that sequence is in it. */
  public boolean has(long sequence) {
    return Arrays.binarySearch(sequences, 0, size, sequence) >= 0;
  }

  /** The stream of a record. */
  public Stream stream(int i) {
    return streams[i];
  }

  /** When a record was received, epoch ms. */
  public long receivedAtMillis(int i) {
    return receivedAtMillis[i];
  }

  /** The array that holds the records. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where in {@link #bytes} a record starts. */
  public int offset(int i) {
    return offsets[i];
  }

  /** How many bytes a record takes. */
  public int length(int i) {
    return lengths[i];
  }
}
