package gilmok.lab.positions;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is asked of a server, and where its answers end. Of the thread of its connections. */
public interface Talk {
  /** An answer that is not whole yet. */
  int INCOMPLETE = 0;

  /** The next request. */
  byte[] next();

  /**
   * Looks at an answer.
   *
   * @return its length, or {@link #INCOMPLETE}, or below 0 if it is not as it should be
   */
  int answer(byte[] bytes, int offset, int end);

  /** HTTP requests, and answers of 2xx with a length, or in chunks. */
  abstract class Http implements Talk {
    private static final byte[] LENGTH = "content-length: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LAST_CHUNK = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Override
    public int answer(byte[] bytes, int offset, int end) {
      int head = offset;
      while (head + 4 <= end
          && !(bytes[head] == '\r' && bytes[head + 1] == '\n' && bytes[head + 2] == '\r')) {
        head++;
      }
      if (head + 4 > end) {
        return INCOMPLETE;
      }
      if (bytes[offset + 9] != '2') {
        return -1;
      }
      int length = find(bytes, offset, head);
      if (length < 0) {
        return endsInChunk(bytes, head, end) ? end - offset : INCOMPLETE;
      }
      int whole = head + 4 + number(bytes, length);
      return whole <= end ? whole - offset : INCOMPLETE;
    }

    /** Nothing comes after an answer until more is asked: so its last chunk is what is last. */
    private static boolean endsInChunk(byte[] bytes, int head, int end) {
      int at = end - LAST_CHUNK.length;
      return at > head && Arrays.equals(bytes, at, end, LAST_CHUNK, 0, LAST_CHUNK.length);
    }

    private static int find(byte[] bytes, int from, int to) {
      for (int i = from; i < to - LENGTH.length; i++) {
        int j = 0;
        while (j < LENGTH.length && (bytes[i + j] | 0x20) == (LENGTH[j] | 0x20)) {
          j++;
        }
        if (j == LENGTH.length) {
          return i + j;
        }
      }
      return -1;
    }
  }

  /** Asks the same again and again. */
  final class Get extends Http {
    private final byte[] request;

    /**
     * @param path with what belongs to it, as {@code /v1/riders?near=1,2}
     * @param key the server's
     */
    public Get(String path, String key) {
      this.request =
          bytes("GET " + path + " HTTP/1.1\r\nHost: lab\r\nX-Api-Key: " + key + "\r\n\r\n");
    }

    @Override
    public byte[] next() {
      return request;
    }
  }

  /** Asks who is near. */
  final class Near extends Http {
    private final Crowd crowd;
    private final String head;

    Near(Crowd crowd, String key) {
      this.crowd = crowd;
      this.head = " HTTP/1.1\r\nHost: lab\r\nX-Api-Key: " + key + "\r\n\r\n";
    }

    @Override
    public byte[] next() {
      Crowd.Place place = crowd.place();
      return bytes("GET /v1/riders?near=" + place.lat() + "," + place.lon() + head);
    }
  }

  /** Sends positions. */
  final class Trace extends Http {
    private final Crowd crowd;
    private final String head;
    private final int positions;

    Trace(Crowd crowd, String key, int positions) {
      this.crowd = crowd;
      this.positions = positions;
      this.head =
          "POST /v1/traces HTTP/1.1\r\nHost: lab\r\nContent-Type: application/x-ndjson\r\nX-Api-Key: "
              + key
              + "\r\nContent-Length: ";
    }

    @Override
    public byte[] next() {
      StringBuilder body = new StringBuilder();
      for (int i = 0; i < positions; i++) {
        body.append(crowd.json()).append('\n');
      }
      return bytes(head + body.length() + "\r\n\r\n" + body);
    }
  }

  /** Redis commands, and answers of any shape but errors. */
  abstract class Redis implements Talk {
    @Override
    public int answer(byte[] bytes, int offset, int end) {
      int next = skip(bytes, offset, end);
      return next > 0 ? next - offset : next;
    }

    /** Where the value at this place ends. */
    private static int skip(byte[] bytes, int from, int end) {
      int line = from;
      while (line < end && bytes[line] != '\n') {
        line++;
      }
      if (line >= end) {
        return INCOMPLETE;
      }
      int next = line + 1;
      switch (bytes[from]) {
        case '$' -> next += number(bytes, from + 1) + 2;
        case '*' -> {
          for (int i = number(bytes, from + 1); i > 0 && next > 0; i--) {
            next = next < end ? skip(bytes, next, end) : INCOMPLETE;
          }
        }
        case '-' -> {
          return -1;
        }
        default -> {
          // A line of its own.
        }
      }
      return next <= end ? next : INCOMPLETE;
    }

    static byte[] command(List<String> words) {
      StringBuilder text = new StringBuilder("*" + words.size() + "\r\n");
      for (String word : words) {
        text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
      }
      return bytes(text.toString());
    }
  }

  /** Asks Redis who is near. */
  final class Search extends Redis {
    private final Crowd crowd;

    Search(Crowd crowd) {
      this.crowd = crowd;
    }

    @Override
    public byte[] next() {
      Crowd.Place place = crowd.place();
      return command(
          List.of(
              "GEOSEARCH",
              "riders",
              "FROMLONLAT",
              Double.toString(place.lon()),
              Double.toString(place.lat()),
              "BYRADIUS",
              "2",
              "km",
              "ASC",
              "COUNT",
              "10",
              "WITHDIST"));
    }
  }

  /** Tells Redis where riders are. */
  final class Add extends Redis {
    private final Crowd crowd;
    private final int positions;

    Add(Crowd crowd, int positions) {
      this.crowd = crowd;
      this.positions = positions;
    }

    @Override
    public byte[] next() {
      List<String> words = new ArrayList<>(List.of("GEOADD", "riders"));
      for (int i = 0; i < positions; i++) {
        Crowd.Place place = crowd.place();
        words.add(Double.toString(place.lon()));
        words.add(Double.toString(place.lat()));
        words.add(String.format(Locale.ROOT, "rider-%06d", crowd.rider()));
      }
      return command(words);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static int number(byte[] bytes, int from) {
    int value = 0;
    for (int i = from; bytes[i] >= '0' && bytes[i] <= '9'; i++) {
      value = 10 * value + bytes[i] - '0';
    }
    return value;
  }
}
