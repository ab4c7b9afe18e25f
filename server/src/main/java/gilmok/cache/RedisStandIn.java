package gilmok.cache;

import gilmok.background.BackgroundThread;
import gilmok.redis.LuaScript;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A small Redis server for the warm-up: as much of Redis as {@link RedisTier} needs. It listens on
 * a free port of loopback and keeps its data in this process's memory. A server is warmed up
 * against it, so that nothing is written to the fleet's Redis. It does not run Lua: this class
 * implements the tier's scripts. To cluster clients it is a cluster of one node. Thread-safe.
 */
public final class RedisStandIn implements AutoCloseable {
  private static final int BACKLOG = 64;
  private static final int WORDS_MAX = 64;
  private static final int WORD_BYTES_MAX = 2 << 20;

  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** The scripts that clients have sent in full, by SHA-1. */
  private final Map<String, String> scripts = new ConcurrentHashMap<>();

  /** Guards {@link #values}. */
  private final Object lock = new Object();

  private final Map<String, Value> values = new HashMap<>();

  private final RedisStandInStreams streams = new RedisStandInStreams();

  /** A value and when it expires, by {@link System#nanoTime}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Value(byte[] bytes, long endNanos) {}

  private RedisStandIn(ServerSocket listener) {
    this.listener = listener;
  }

  /**
   * Starts an empty server.
   *
   * @throws IOException when no port can be opened
   */
  public static RedisStandIn start() throws IOException {
    RedisStandIn standIn =
        new RedisStandIn(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
    BackgroundThread.startVirtual("redis-stand-in", standIn::accept);
    return standIn;
  }

  /** The URL of the server, without user or password. */
  public String url() {
    return "redis://127.0.0.1:" + listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        BackgroundThread.startVirtual("redis-stand-in-client", () -> serve(socket));
      }
    } catch (IOException closed) {
      close();
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = new BufferedOutputStream(socket.getOutputStream());
      while (true) {
        out.write(answer(words(in)));
        if (in.available() == 0) {
          out.flush();
        }
      }
    } catch (IOException gone) {
      sockets.remove(socket);
    } catch (InterruptedException interrupted) { // nobody does it
      Thread.currentThread().interrupt();
    }
  }

  /** Reads one command: an array of bulk strings, as all clients send it. */
  private static List<byte[]> words(InputStream in) throws IOException {
    int count = number(in, '*', WORDS_MAX);
    List<byte[]> words = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int bytes = number(in, '$', WORD_BYTES_MAX);
      words.add(in.readNBytes(bytes));
      if (in.read() != '\r' || in.read() != '\n') {
        throw new EOFException();
      }
    }
    return words;
  }

  private static int number(InputStream in, char kind, int most) throws IOException {
    if (in.read() != kind) {
      throw new EOFException();
    }
    int number = 0;
    for (int next = in.read(); next != '\r'; next = in.read()) {
      number = number * 10 + next - '0';
      if (next < '0' || next > '9' || number > most) {
        throw new EOFException();
      }
    }
    in.read();
    return number;
  }

  private byte[] answer(List<byte[]> words) throws InterruptedException {
    String name = text(words.getFirst()).toUpperCase(Locale.ROOT);
    List<byte[]> rest = words.subList(1, words.size());
    return switch (name) {
      case "PING" -> line("+PONG");
      case "CLIENT", "AUTH", "SELECT", "READONLY" -> line("+OK");
      case "CLUSTER" -> bulk(ascii(nodes()));
      case "INFO" -> bulk(ascii("connected_clients:1\r\n"));
      case "DEL" -> whole(delete(rest));
      case "XADD" -> bulk(ascii(streams.add(text(rest.getFirst()), rest.subList(5, rest.size()))));
      case "XREVRANGE" -> entries(streams.newest(text(rest.getFirst())));
      case "XREAD" -> read(rest);
      case "EVALSHA" -> {
        String script = scripts.get(text(rest.getFirst()));
        yield script == null ? line("-NOSCRIPT No matching script.") : evaluate(script, rest);
      }
      case "EVAL" -> {
        String script = text(rest.getFirst());
        scripts.put(text(new LuaScript(script).hash()), script);
        yield evaluate(script, rest);
      }
      default -> line("-ERR unknown command");
    };
  }

  /**
   * Runs a script. {@code rest} holds its text or hash, the number of keys (always 2), the keys and
   * the arguments.
   */
  private byte[] evaluate(String script, List<byte[]> rest) {
    String value = text(rest.get(2));
    String lease = text(rest.get(3));
    List<byte[]> arguments = rest.subList(4, rest.size());
    synchronized (lock) {
      return switch (script) {
        case RedisTier.ASK_LUA -> ask(value, lease, arguments);
        case RedisTier.RESET_LUA -> {
          values.remove(value);
          set(lease, arguments.get(0), arguments.get(1));
          yield whole(1);
        }
        case RedisTier.PUT_LUA -> put(value, lease, arguments);
        default -> line("-ERR unknown script");
      };
    }
  }

  private byte[] ask(String value, String lease, List<byte[]> arguments) {
    Value found = find(value);
    if (found != null) {
      long left = (found.endNanos - System.nanoTime()) / 1_000_000;
      if (arguments.size() < 3
          || (!startsWith(found.bytes, arguments.get(2)) && left > number(arguments.get(3)))) {
        return join(line("*2"), bulk(found.bytes), whole(left));
      }
    }
    if (find(lease) != null) {
      return whole(0);
    }
    set(lease, arguments.get(0), arguments.get(1));
    return whole(1);
  }

  private byte[] put(String value, String lease, List<byte[]> arguments) {
    byte[] bytes = arguments.get(1);
    Value holder = find(lease);
    if (holder == null || !startsWith(bytes, holder.bytes)) {
      return whole(0);
    }
    if (bytes.length > holder.bytes.length) {
      set(value, bytes, arguments.getFirst());
    }
    values.remove(lease);
    return whole(1);
  }

  private int delete(List<byte[]> keys) {
    int deleted = 0;
    synchronized (lock) {
      for (byte[] key : keys) {
        deleted += values.remove(text(key)) == null ? 0 : 1;
      }
    }
    return deleted;
  }

  /** {@code rest}: COUNT, n, BLOCK, ms, STREAMS, key, id. */
  private byte[] read(List<byte[]> rest) throws InterruptedException {
    byte[] key = rest.get(5);
    List<RedisStandInStreams.Entry> found =
        streams.after(text(key), text(rest.get(6)), (int) number(rest.get(1)), number(rest.get(3)));
    return found.isEmpty() ? line("*-1") : join(line("*1"), line("*2"), bulk(key), entries(found));
  }

  private static byte[] entries(List<RedisStandInStreams.Entry> entries) {
    byte[] all = line("*" + entries.size());
    for (RedisStandInStreams.Entry entry : entries) {
      all = join(all, line("*2"), bulk(ascii(entry.id())), line("*" + entry.fields().size()));
      for (byte[] field : entry.fields()) {
        all = join(all, bulk(field));
      }
    }
    return all;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private @Nullable Value find(String key) {
    Value found = values.get(key);
    return found == null || found.endNanos - System.nanoTime() <= 0 ? null : found;
  }

  private void set(String key, byte[] bytes, byte[] millis) {
    values.put(key, new Value(bytes, System.nanoTime() + number(millis) * 1_000_000));
  }

  /** The reply to {@code CLUSTER NODES}: this node owns all slots. */
  private String nodes() {
    return "%1$s 127.0.0.1:%2$d@%2$d myself,master - 0 0 1 connected 0-16383\n"
        .formatted("0".repeat(40), listener.getLocalPort());
  }

  private static boolean startsWith(byte[] bytes, byte[] beginning) {
    return bytes.length >= beginning.length
        && Arrays.equals(bytes, 0, beginning.length, beginning, 0, beginning.length);
  }

  /**
   * Decodes Latin-1, which keeps every byte. Scripts are ASCII, so {@link gilmok.redis.LuaScript}
   * hashes them as clients do.
   */
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static long number(byte[] digits) {
    return Long.parseLong(text(digits));
  }

  private static byte[] line(String text) {
    return (text + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] whole(long number) {
    return line(":" + number);
  }

  private static byte[] bulk(byte[] bytes) {
    return join(line("$" + bytes.length), bytes, line(""));
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @Override
  public void close() {
    streams.close();
    close(listener);
    sockets.forEach(RedisStandIn::close);
  }

  private static void close(Closeable one) {
    try {
      one.close();
    } catch (IOException closed) {
      // The socket is closed either way.
    }
  }
}
