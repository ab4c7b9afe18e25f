package gilmok.lab.firehose;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * The lines that a {@link Firehose} has kept, in order of arrival and with repeats: the record id
 * and the deduplication key of each, in 28 bytes. Thread-safe.
 */
public final class Kept {
  private static final byte[] RECORD_ID = "\"recordId\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DEDUP_KEY = "\"dedupKey\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final int KEY_CHARS = 32;
  private static final int NODE_CHARS_MAX = 64;

  private static final int UNPACKED_BYTES_MAX = 64 << 20;

  private final boolean keepsLines;
  private final List<String> nodes = new ArrayList<>();
  private int[] nodeOf = new int[256];
  private long[] sequences = new long[256];
  private long[] keysHigh = new long[256];
  private long[] keysLow = new long[256];
  private int size;

  /**
   * An empty list.
   *
   * @param keepsLines false to keep nothing, for long runs
   */
  Kept(boolean keepsLines) {
    this.keepsLines = keepsLines;
  }

  /** How many lines of a record had an id and key, and how many had not. */
  record Lines(int known, int unknown) {}

  /** Adds the lines of one Firehose record, which may be gzip with one or more members. */
  synchronized Lines take(byte[] record) {
    byte[] data = isGzip(record) ? unpacked(record) : record;
    int known = 0;
    int unknown = 0;
    int start = 0;
    while (start < data.length) {
      int end = start;
      while (end < data.length && data[end] != '\n') {
        end++;
      }
      if (end > start) {
        if (line(data, start, end)) {
          known++;
        } else {
          unknown++;
        }
      }
      start = end + 1;
    }
    return new Lines(known, unknown);
  }

  private static boolean isGzip(byte[] data) {
    return data.length > 2 && data[0] == 0x1f && data[1] == (byte) 0x8b;
  }

  /** Decompresses a record; a damaged one is returned as it is and counts as an unknown line. */
  private static byte[] unpacked(byte[] record) {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(record))) {
      return in.readNBytes(UNPACKED_BYTES_MAX);
    } catch (IOException damaged) {
      return record;
    }
  }

  private boolean line(byte[] data, int start, int end) {
    if (!keepsLines) {
      return true;
    }
    // Both come before the record's own fields, so the first occurrences are ours.
    int id = after(RECORD_ID, data, start, end);
    int key = after(DEDUP_KEY, data, start, end);
    if (id < 0 || key < 0 || key + KEY_CHARS > end) {
      return false;
    }
    int colon = id;
    while (colon < end && data[colon] != ':' && colon - id < NODE_CHARS_MAX) {
      colon++;
    }
    long sequence = 0;
    int at = colon + 1;
    while (at < end && data[at] >= '0' && data[at] <= '9') {
      sequence = 10 * sequence + data[at++] - '0';
    }
    if (at == colon + 1) {
      return false;
    }
    grow();
    nodeOf[size] = node(new String(data, id, colon - id, StandardCharsets.UTF_8));
    sequences[size] = sequence;
    String hex = new String(data, key, KEY_CHARS, StandardCharsets.US_ASCII);
    try {
      keysHigh[size] = HexFormat.fromHexDigitsToLong(hex, 0, KEY_CHARS / 2);
      keysLow[size] = HexFormat.fromHexDigitsToLong(hex, KEY_CHARS / 2, KEY_CHARS);
    } catch (NumberFormatException notHex) {
      return false;
    }
    size++;
    return true;
  }

  private int node(String name) {
    int known = nodes.indexOf(name);
    if (known < 0) {
      nodes.add(name);
      known = nodes.size() - 1;
    }
    return known;
  }

  private void grow() {
    if (size == sequences.length) {
      nodeOf = Arrays.copyOf(nodeOf, 2 * size);
      sequences = Arrays.copyOf(sequences, 2 * size);
      keysHigh = Arrays.copyOf(keysHigh, 2 * size);
      keysLow = Arrays.copyOf(keysLow, 2 * size);
    }
  }

  private static int after(byte[] mark, byte[] data, int start, int end) {
    for (int i = start; i + mark.length <= end; i++) {
      if (data[i] == '"' && Arrays.equals(data, i, i + mark.length, mark, 0, mark.length)) {
        return i + mark.length;
      }
    }
    return -1;
  }

  /** How many lines arrived, including repeats. */
  public synchronized int size() {
    return size;
  }

  /** The record id of the i-th arrival, {@code node:sequence}. */
  public synchronized String recordId(int i) {
    return nodes.get(nodeOf[checked(i)]) + ":" + sequences[i];
  }

  /** Whether a record has arrived; searches from the newest one. */
  public synchronized boolean has(String node, long sequence) {
    int wanted = nodes.indexOf(node);
    for (int i = size - 1; i >= 0; i--) {
      if (sequences[i] == sequence && nodeOf[i] == wanted) {
        return true;
      }
    }
    return false;
  }

  /** The deduplication key of the i-th arrival, 32 hexadecimal characters. */
  public synchronized String dedupKey(int i) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(keysHigh[checked(i)]) + hex.toHexDigits(keysLow[i]);
  }

  /** The number of arrivals of each record id. */
  public synchronized Map<String, Integer> timesById() {
    Map<String, Integer> times = new HashMap<>();
    for (int i = 0; i < size; i++) {
      times.merge(recordId(i), 1, Integer::sum);
    }
    return times;
  }

  /** The distinct deduplication keys, as a reader sees them that drops repeats. */
  public synchronized Set<String> dedupKeys() {
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < size; i++) {
      keys.add(dedupKey(i));
    }
    return keys;
  }

  private int checked(int i) {
    if (i < 0 || i >= size) {
      throw new IndexOutOfBoundsException(i + " of " + size);
    }
    return i;
  }
}
