package gilmok.lab.positions;

import gilmok.lab.ProcessorClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Questions as fast as they are answered, one at a time on each connection, while updates come at a
 * steady rate on others. Updates that find no free connection wait, and are sent late: how many
 * were answered is counted. One thread does it all; its share of a processor is reported. Not
 * thread-safe.
 */
public final class Pressure implements AutoCloseable {
  private static final int UPDATE_CONNECTIONS = 256;
  private static final int BUFFER_BYTES = 1 << 16;

  private final Selector selector = Selector.open();
  private final List<Line> asking = new ArrayList<>();
  private final ArrayDeque<Line> idle = new ArrayDeque<>();
  private final Histogram latencies = new Histogram(1_000L, 60_000_000_000L, 3);
  private long updates;
  private boolean measures;

  /**
   * Questions only.
   *
   * @param port of loopback
   */
  public Pressure(int port, int connections, Talk question) throws IOException {
    for (int i = 0; i < connections; i++) {
      asking.add(new Line(port, question, true));
    }
  }

  Pressure(int port, int connections, Talk question, Talk update) throws IOException {
    this(port, connections, question);
    for (int i = 0; i < UPDATE_CONNECTIONS; i++) {
      idle.add(new Line(port, update, false));
    }
  }

  /** What came of it. Microseconds. */
  public record Result(
      double questionsPerSecond,
      double updatesPerSecond,
      double p50,
      double p99,
      double max,
      double ownCores) {}

  /** Sends updates only, as fast as they are answered, until so many have been. */
  void load(long count) throws IOException {
    long sent = 0;
    while (updates < count) {
      while (!idle.isEmpty() && sent < count) {
        idle.remove().ask();
        sent++;
      }
      turn(100);
    }
    updates = 0;
  }

  /** Runs for so long, once. */
  public Result run(double updatesPerSecond, int warmupSeconds, int seconds) throws IOException {
    long start = System.nanoTime();
    long measured = start + warmupSeconds * 1_000_000_000L;
    long end = measured + seconds * 1_000_000_000L;
    long processor = 0;
    long before = 0;
    long sent = 0;
    for (Line line : asking) {
      line.ask();
    }
    for (long now = start; now < end; now = System.nanoTime()) {
      if (!measures && now >= measured) {
        measures = true;
        before = updates;
        processor = ProcessorClock.own().nanos();
      }
      long due = (long) ((now - start) / 1e9 * updatesPerSecond);
      while (sent < due && !idle.isEmpty()) {
        idle.remove().ask();
        sent++;
      }
      turn(1);
    }
    double wall = (System.nanoTime() - measured) / 1e9;
    return new Result(
        latencies.getTotalCount() / wall,
        (updates - before) / wall,
        latencies.getValueAtPercentile(50) / 1e3,
        latencies.getValueAtPercentile(99) / 1e3,
        latencies.getMaxValue() / 1e3,
        (ProcessorClock.own().nanos() - processor) / 1e9 / wall);
  }

  private void turn(long millis) throws IOException {
    if (selector.select(millis) > 0) {
      for (SelectionKey key : selector.selectedKeys()) {
        if (key.attachment() instanceof Line line) {
          line.read();
        }
      }
      selector.selectedKeys().clear();
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }

  /** One connection. */
  private final class Line {
    private final SocketChannel channel;
    private final Talk talk;
    private final boolean asks;
    private byte[] bytes = new byte[BUFFER_BYTES];
    private int end;
    private long askedNanos;

    Line(int port, Talk talk, boolean asks) throws IOException {
      this.talk = talk;
      this.asks = asks;
      channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      var _ = channel.register(selector, SelectionKey.OP_READ, this);
    }

    void ask() throws IOException {
      ByteBuffer request = ByteBuffer.wrap(talk.next());
      askedNanos = System.nanoTime();
      while (request.hasRemaining()) {
        channel.write(request);
      }
    }

    void read() throws IOException {
      if (end == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * end);
      }
      int count = channel.read(ByteBuffer.wrap(bytes, end, bytes.length - end));
      if (count < 0) {
        throw new IOException("the server has closed a connection");
      }
      end += count;
      int length = talk.answer(bytes, 0, end);
      if (length < 0) {
        throw new IOException(
            "refused: " + new String(bytes, 0, Math.min(end, 300), StandardCharsets.UTF_8));
      }
      if (length == Talk.INCOMPLETE) {
        return;
      }
      end = 0;
      if (!asks) {
        updates++;
        idle.add(this);
        return;
      }
      if (measures) {
        latencies.recordValue(System.nanoTime() - askedNanos);
      }
      ask();
    }
  }
}
