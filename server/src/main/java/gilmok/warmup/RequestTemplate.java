package gilmok.warmup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;

/**
 * Makes requests of a script's entries: fills in their placeholders, with new values each time. A
 * placeholder is generated, given at construction, or remembered from a response. One without a
 * value becomes {@link #UNKNOWN}, and the server's response shows the mistake. These are generated:
 *
 * <ul>
 *   <li>{@code n} a number that is never given twice, {@code again} the last of them;
 *   <li>{@code lane} a number of this connection alone, always the same;
 *   <li>{@code rider} one of a thousand, from 1 on: the scripts have a key of rider 0; {@code
 *       phone} one of a hundred thousand, as in a crowd; {@code digits} six that look random, as of
 *       a coordinate;
 *   <li>{@code now} the time in epoch milliseconds, {@code seconds} in seconds, {@code time} in the
 *       form of RFC 3339, {@code today} its date.
 * </ul>
 *
 * <p>Not thread-safe: one for each connection, all with the same counter.
 */
public final class RequestTemplate {
  /** The value of a placeholder that has none. */
  static final String UNKNOWN = "unknown";

  private static final int RIDERS = 1000;
  private static final int PHONES = 100_000;

  /**
   * The step from one {@code digits} to the next. It has no factor in common with the number of
   * six-digit numbers, so all of them come up, in an order that looks random.
   */
  private static final long STEP = 618_033;

  private static final long DIGITS = 1_000_000;
  private static final long TIME_NANOS = 1_000_000_000;
  private static final String CHUNKED = "Transfer-Encoding: chunked";

  private final AtomicLong counter;
  private final Map<String, String> values;
  private final UnaryOperator<byte[]> zstd;
  private final Map<String, Parts> parsed = new HashMap<>();
  private long last;
  private long lane = -1;
  private String time = "";
  private long timeAt;

  /** A template that shares a counter: all templates with one counter give no number twice. */
  public RequestTemplate(
      AtomicLong counter, Map<String, String> given, UnaryOperator<byte[]> zstd) {
    this.counter = counter;
    this.values = new HashMap<>(given);
    this.zstd = zstd;
  }

  /** Sets the value of a placeholder from now on. */
  public void remember(String name, String value) {
    values.put(name, value);
  }

  /** Remembers what the request captures from the client's last response, as far as it is there. */
  public void remember(ScriptRequest request, ScriptClient client) {
    for (ResponseCapture capture : request.remembers()) {
      String found = client.found(capture);
      if (!found.isEmpty()) {
        values.put(capture.name(), found);
      }
    }
  }

  /** A whole request of HTTP/1.1. Its body is one chunk if its headers say that it is chunked. */
  public byte[] request(ScriptRequest request) {
    byte[] body = bytes(request.body());
    StringBuilder head = new StringBuilder(256);
    head.append(request.method())
        .append(' ')
        .append(filled(request.path()))
        .append(" HTTP/1.1\r\n");
    head.append("Host: warmup\r\n");
    for (String header : request.headers()) {
      head.append(filled(header)).append("\r\n");
    }
    switch (request.body().packing()) {
      case NONE -> {}
      case GZIP -> head.append("Content-Encoding: gzip\r\n");
      case ZSTD -> head.append("Content-Encoding: zstd\r\n");
    }
    String end = "";
    if (request.headers().contains(CHUNKED)) {
      head.append("\r\n").append(Integer.toHexString(body.length)).append("\r\n");
      end = "\r\n0\r\n\r\n";
    } else if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
    } else {
      head.append("\r\n");
    }
    return joined(head.toString(), body, end);
  }

  private static byte[] joined(String head, byte[] body, String end) {
    byte[] before = head.getBytes(StandardCharsets.UTF_8);
    byte[] after = end.getBytes(StandardCharsets.UTF_8);
    int length = before.length + body.length + after.length;
    return ByteBuffer.allocate(length).put(before).put(body).put(after).array();
  }

  private byte[] bytes(ScriptRequest.Body body) {
    if (body.text().isEmpty()) {
      return new byte[0];
    }
    StringBuilder text = new StringBuilder();
    String between = body.form() == ScriptRequest.Form.LINES ? "\n" : ",";
    for (int i = 0; i < body.copies(); i++) {
      text.append(i == 0 ? "" : between).append(filled(body.text()));
    }
    String whole = body.form() == ScriptRequest.Form.ARRAY ? "[" + text + "]" : text.toString();
    byte[] plain = whole.getBytes(StandardCharsets.UTF_8);
    return switch (body.packing()) {
      case NONE -> plain;
      case GZIP -> gzip(plain);
      case ZSTD -> zstd.apply(plain);
    };
  }

  private static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return packed.toByteArray();
  }

  private String filled(String template) {
    Parts parts = parsed.computeIfAbsent(template, Parts::of);
    if (parts.names.isEmpty()) {
      return template;
    }
    StringBuilder text = new StringBuilder(template.length() + 32);
    for (int i = 0; i < parts.names.size(); i++) {
      text.append(parts.texts.get(i)).append(value(parts.names.get(i)));
    }
    return text.append(parts.texts.getLast()).toString();
  }

  /**
   * A text with placeholders, parsed once: these requests are made while the server is cold, and
   * take their time from it.
   *
   * @param texts what stands between the placeholders, before the first and behind the last
   */
  private record Parts(List<String> texts, List<String> names) {
    static Parts of(String template) {
      List<String> texts = new ArrayList<>();
      List<String> names = new ArrayList<>();
      int from = 0;
      for (int open = template.indexOf("{{"); open >= 0; open = template.indexOf("{{", from)) {
        int close = template.indexOf("}}", open);
        if (close < 0) {
          throw new IllegalStateException("a placeholder without its end: " + template);
        }
        texts.add(template.substring(from, open));
        names.add(template.substring(open + 2, close));
        from = close + 2;
      }
      texts.add(template.substring(from));
      return new Parts(texts, names);
    }
  }

  private String value(String name) {
    return switch (name) {
      case "n" -> Long.toString(next());
      case "again" -> Long.toString(last);
      case "lane" -> Long.toString(lane());
      case "rider" -> Long.toString(1 + counter.getAndIncrement() % RIDERS);
      case "phone" -> Long.toString(counter.getAndIncrement() * STEP % PHONES);
      case "digits" ->
          Long.toString(DIGITS + counter.getAndIncrement() * STEP % DIGITS).substring(1);
      case "now" -> Long.toString(System.currentTimeMillis());
      case "seconds" -> Long.toString(System.currentTimeMillis() / 1000);
      case "time" -> time();
      case "today" -> time().substring(0, "2026-03-01".length());
      default -> values.getOrDefault(name, UNKNOWN);
    };
  }

  private long next() {
    last = counter.getAndIncrement();
    return last;
  }

  /**
   * The current time as text, renewed once a second: formatting it at each request would give the
   * compiler more work than the rest of this class.
   */
  private String time() {
    long now = System.nanoTime();
    if (time.isEmpty() || now - timeAt > TIME_NANOS) {
      time = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
      timeAt = now;
    }
    return time;
  }

  private long lane() {
    if (lane < 0) {
      lane = counter.getAndIncrement();
    }
    return lane;
  }
}
