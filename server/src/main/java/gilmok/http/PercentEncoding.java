package gilmok.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Percent-encoded texts: segments of a path and parameters of a query. Pure functions. */
final class PercentEncoding {
  private PercentEncoding() {}

  /** A segment of a path, decoded; a percent sign without two digits is kept as it is. */
  static String segment(String text) {
    return text.indexOf('%') < 0 ? text : decode(text, 0, text.length(), false);
  }

  /** The first value of a parameter in a query; null when absent. */
  static @Nullable String parameter(String query, String name) {
    int from = 0;
    int length = query.length();
    while (from < length) {
      int to = query.indexOf('&', from);
      to = to < 0 ? length : to;
      int equals = query.indexOf('=', from);
      int nameEnd = equals < 0 || equals > to ? to : equals;
      if (isNamed(query, from, nameEnd, name)) {
        return nameEnd == to ? "" : decode(query, nameEnd + 1, to, true);
      }
      from = to + 1;
    }
    return null;
  }

  /** All values of a parameter in a query, in its order. */
  static List<String> parameters(String query, String name) {
    List<String> values = new ArrayList<>();
    each(
        query,
        (from, nameEnd, to) -> {
          if (isNamed(query, from, nameEnd, name)) {
            values.add(nameEnd == to ? "" : decode(query, nameEnd + 1, to, true));
          }
        });
    return values;
  }

  /** The names of a query's parameters, in its order; empty parts are left out. */
  static List<String> names(String query) {
    List<String> names = new ArrayList<>();
    each(
        query,
        (from, nameEnd, to) -> {
          if (to > from) {
            names.add(decode(query, from, nameEnd, true));
          }
        });
    return names;
  }

  /** A query without the parameters whose decoded values are such; as it is if there are none. */
  static String without(String query, Predicate<String> values) {
    List<String> kept = new ArrayList<>();
    AtomicBoolean isWhole = new AtomicBoolean(true);
    each(
        query,
        (from, nameEnd, to) -> {
          if (nameEnd < to && values.test(decode(query, nameEnd + 1, to, true))) {
            isWhole.setPlain(false);
          } else {
            kept.add(query.substring(from, to));
          }
        });
    return isWhole.getPlain() ? query : String.join("&", kept);
  }

  /** Takes a parameter of a query: where its name begins and ends, and where it ends. */
  @FunctionalInterface
  private interface Parameter {
    void at(int from, int nameEnd, int to);
  }

  private static void each(String query, Parameter parameter) {
    int length = query.length();
    for (int from = 0; from < length; ) {
      int to = query.indexOf('&', from);
      to = to < 0 ? length : to;
      int equals = query.indexOf('=', from);
      parameter.at(from, equals < 0 || equals > to ? to : equals, to);
      from = to + 1;
    }
  }

  /** A cookie's value among those of a header; null when absent. */
  static @Nullable String cookie(String cookies, String name) {
    int length = cookies.length();
    for (int from = 0; from < length; ) {
      int to = cookies.indexOf(';', from);
      to = to < 0 ? length : to;
      while (from < to && cookies.charAt(from) == ' ') {
        from++;
      }
      int value = from + name.length() + 1;
      if (value <= to && cookies.startsWith(name, from) && cookies.charAt(value - 1) == '=') {
        return cookies.substring(value, to);
      }
      from = to + 1;
    }
    return null;
  }

  private static boolean isNamed(String query, int from, int to, String name) {
    if (to - from == name.length() && query.startsWith(name, from)) {
      return true;
    }
    for (int i = from; i < to; i++) {
      char c = query.charAt(i);
      if (c == '%' || c == '+') {
        return decode(query, from, to, true).equals(name);
      }
    }
    return false;
  }

  private static String decode(String text, int from, int to, boolean plusIsBlank) {
    boolean plain = true;
    for (int i = from; i < to && plain; i++) {
      char c = text.charAt(i);
      plain = c != '%' && !(plusIsBlank && c == '+');
    }
    if (plain) {
      return text.substring(from, to);
    }
    byte[] bytes = text.substring(from, to).getBytes(StandardCharsets.UTF_8);
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      byte b = bytes[i];
      if (b == '%' && i + 2 < bytes.length) {
        int high = Character.digit(bytes[i + 1], 16);
        int low = Character.digit(bytes[i + 2], 16);
        if (high >= 0 && low >= 0) {
          b = (byte) (high << 4 | low);
          i += 2;
        }
      } else if (b == '+' && plusIsBlank) {
        b = ' ';
      }
      bytes[length++] = b;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
