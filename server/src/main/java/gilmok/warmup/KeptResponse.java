package gilmok.warmup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a client keeps of its last response: headers, and the beginning of the body. */
final class KeptResponse {
  private static final int KEPT_BYTES = 4096;
  private static final String ENDS = "/\"'<>?& \n";

  private final List<String> headers = new ArrayList<>();
  private final byte[] start = new byte[KEPT_BYTES];
  private int length;

  /** Forgets the response before. */
  void begin() {
    headers.clear();
    length = 0;
  }

  /** Keeps a header, as in {@code Location: /v1/keys/7}. */
  void header(String line) {
    headers.add(line);
  }

  /** Keeps what there is room for of the next bytes of the body. */
  void body(byte[] bytes, int from, int count) {
    int kept = Math.min(count, KEPT_BYTES - length);
    System.arraycopy(bytes, from, start, length, kept);
    length += kept;
  }

  /** The value of a capture; empty if it is not there. */
  String found(ResponseCapture capture) {
    String what = capture.what();
    return switch (capture.place()) {
      case HEADER -> value(what);
      case COOKIE -> {
        String cookie = value("Set-Cookie");
        int end = cookie.indexOf(';');
        boolean isIt = cookie.startsWith(what + "=") && end > 0;
        yield isIt ? cookie.substring(what.length() + 1, end) : "";
      }
      case FIELD -> {
        String value = behind('"' + what + "\":");
        yield value.startsWith("\"") ? cut(value.substring(1), "\"") : cut(value, ",]}");
      }
      case BEHIND -> cut(behind(what), ENDS);
    };
  }

  private String value(String name) {
    String wanted = name + ":";
    for (String header : headers) {
      if (header.regionMatches(true, 0, wanted, 0, wanted.length())) {
        return header.substring(wanted.length()).strip();
      }
    }
    return "";
  }

  private String behind(String mark) {
    String text = new String(start, 0, length, StandardCharsets.UTF_8);
    int at = text.indexOf(mark);
    return at < 0 ? "" : text.substring(at + mark.length());
  }

  /** A text up to the first of some characters; empty if it contains none of them. */
  private static String cut(String text, String ends) {
    int end = 0;
    while (end < text.length() && ends.indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return end == text.length() ? "" : text.substring(0, end);
  }
}
