package gilmok.http;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.auth.Scope;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Routes for tests that reply with text of a given length, in every way a reply can be made. */
public final class Texts {
  static final FixedBody FIXED = new FixedBody("text/html", bytes(5000));

  private Texts() {}

  /**
   * {@code GET /text?n=BYTES}, with more parameters: {@code type}, {@code tag}, {@code vary} and
   * {@code coding} are the reply's headers, {@code from=other} replies from a thread that is no
   * event loop, {@code pieces=N} replies in that many pieces, {@code noise} with bytes that cannot
   * be compressed, {@code twice} tries a second reply. {@code GET /coding} replies with the coding
   * that was negotiated. {@code GET /fixed} is a body that does not change.
   */
  static List<Route> routes() {
    return List.of(
        new Route(
            "GET", "/text", Scope.READ, OwnershipRule.IN_QUERY, Priority.READS, 0, Texts::text),
        new Route("GET", "/coding", null, OwnershipRule.OPEN, Priority.READS, 0, Texts::coding),
        new Route(
            "GET", "/fixed", null, OwnershipRule.OPEN, Priority.READS, 0, FIXED::replyIfChanged));
  }

  private static void coding(Exchange exchange) {
    Edge.text(exchange, exchange.coding().label());
  }

  private static void text(Exchange exchange) {
    header(exchange, "ETag", "tag");
    header(exchange, "Vary", "vary");
    header(exchange, "Content-Encoding", "coding");
    if (exchange.query("from") == null) {
      reply(exchange);
    } else {
      Thread.ofVirtual().start(() -> reply(exchange));
    }
  }

  private static void header(Exchange exchange, String name, String parameter) {
    String value = exchange.query(parameter);
    if (value != null) {
      exchange.replyHeader(name, value);
    }
  }

  private static void reply(Exchange exchange) {
    int length = Integer.parseInt(Objects.requireNonNullElse(exchange.query("n"), "0"));
    String type = Objects.requireNonNullElse(exchange.query("type"), "text/plain");
    byte[] bytes = exchange.query("noise") == null ? bytes(length) : noise(length);
    String pieces = exchange.query("pieces");
    if (pieces == null) {
      exchange.reply(200, type, bytes);
    } else {
      exchange.reply(200, type, cut(bytes, Integer.parseInt(pieces)));
    }
    if (exchange.query("twice") != null) {
      exchange.reply(200, "text/plain", new byte[] {'2'});
      exchange.refuse(Refusal.BUSY);
    }
  }

  /** A text of that many bytes, always the same. */
  public static byte[] bytes(int length) {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder(length + 32);
    while (text.length() < length) {
      text.append("{\"id\":").append(random.nextInt(1000)).append(",\"name\":\"rider\"}\n");
    }
    return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
  }

  public static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new Random(1).nextBytes(noise);
    return noise;
  }

  /** Cuts bytes into that many pieces. The first is empty if there are several. */
  static List<byte[]> cut(byte[] bytes, int count) {
    List<byte[]> pieces = new ArrayList<>();
    int full = count > 1 ? count - 1 : count;
    if (full < count) {
      pieces.add(new byte[0]);
    }
    for (int i = 0; i < full; i++) {
      pieces.add(
          Arrays.copyOfRange(bytes, bytes.length / full * i, end(bytes.length, full, i + 1)));
    }
    return pieces;
  }

  private static int end(int length, int count, int number) {
    return number == count ? length : length / count * number;
  }

  /** Decompresses a body. */
  public static byte[] unpacked(@Nullable String coding, byte[] body) throws IOException {
    InputStream packed = new ByteArrayInputStream(body);
    try (InputStream in =
        switch (coding) {
          case "gzip" -> new GZIPInputStream(packed);
          case "zstd" -> new ZstdInputStream(packed);
          case null, default -> packed;
        }) {
      return in.readAllBytes();
    }
  }
}
