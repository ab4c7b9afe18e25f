package gilmok.collect.dialect;

import gilmok.event.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Names and values of a query or a form ({@code application/x-www-form-urlencoded}), in the order
 * in which they were sent. Immutable.
 */
public final class Parameters {
  /** The most parameters that are read. */
  public static final int COUNT_MAX = 256;

  private final List<String> names = new ArrayList<>();
  private final List<String> values = new ArrayList<>();
  private boolean isText = true;
  private boolean isWhole = true;

  private Parameters() {}

  /** Parses parameters; a percent sign without two digits is kept as it is. */
  public static Parameters of(byte[] bytes, int offset, int end) {
    Parameters parameters = new Parameters();
    for (int from = offset; from < end && parameters.isWhole; ) {
      int to = indexOf('&', bytes, from, end);
      if (to > from && parameters.names.size() == COUNT_MAX) {
        parameters.isWhole = false;
      } else if (to > from) {
        int equals = indexOf('=', bytes, from, to);
        parameters.names.add(parameters.decoded(bytes, from, equals));
        parameters.values.add(parameters.decoded(bytes, Math.min(equals + 1, to), to));
      }
      from = to + 1;
    }
    return parameters;
  }

  /** How many parameters there are. */
  public int count() {
    return names.size();
  }

  /** The name of a parameter. */
  public String name(int i) {
    return names.get(i);
  }

  /** The value of a parameter; empty when none was given. */
  public String value(int i) {
    return values.get(i);
  }

  /** Whether there were no more than {@link #COUNT_MAX}. */
  public boolean isWhole() {
    return isWhole;
  }

  /** Whether all of it is valid UTF-8. */
  public boolean isText() {
    return isText;
  }

  private static int indexOf(char wanted, byte[] bytes, int from, int to) {
    int p = from;
    while (p < to && bytes[p] != wanted) {
      p++;
    }
    return p;
  }

  private String decoded(byte[] bytes, int from, int to) {
    byte[] text = new byte[to - from];
    int size = 0;
    for (int p = from; p < to; p++) {
      byte b = bytes[p];
      if (b == '+') {
        b = ' ';
      } else if (b == '%' && p + 2 < to) {
        int high = Character.digit(bytes[p + 1], 16);
        int low = Character.digit(bytes[p + 2], 16);
        if (high >= 0 && low >= 0) {
          b = (byte) (high << 4 | low);
          p += 2;
        }
      }
      text[size++] = b;
    }
    isText &= Utf8.isValid(text, 0, size);
    return new String(text, 0, size, StandardCharsets.UTF_8);
  }
}
