package gilmok.lab.positions;

import gilmok.lab.Servers;
import gilmok.lab.load.Requests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Readers of streams of positions, each with riders of its own. They read everything and keep
 * nothing. One thread reads for all.
 */
final class Readers implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 18;

  private final Selector selector = Selector.open();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger lost = new AtomicInteger();

  /**
   * Opens all streams.
   *
   * @param ridersEach how many riders each reader follows
   * @param riders how many riders there are
   */
  Readers(int port, int count, int ridersEach, int riders) throws IOException {
    for (int i = 0; i < count; i++) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      ByteBuffer request = ByteBuffer.wrap(request(i * ridersEach, ridersEach, riders));
      while (request.hasRemaining()) {
        channel.write(request);
      }
      channel.configureBlocking(false);
      var _ = channel.register(selector, SelectionKey.OP_READ);
    }
    Thread.ofPlatform().name("readers").daemon().start(this::read);
  }

  private static byte[] request(int first, int count, int riders) {
    String followed =
        IntStream.range(first, first + count)
            .mapToObj(rider -> String.format("rider-%06d", rider % riders))
            .collect(Collectors.joining(","));
    return Requests.get("/v1/stream/positions?interval=1000&rider=" + followed, Servers.KEY);
  }

  /** How many bytes were read so far. */
  long bytes() {
    return bytes.get();
  }

  /** How many streams were ended by the server. */
  int lost() {
    return lost.get();
  }

  private void read() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try {
      while (selector.isOpen()) {
        selector.select();
        for (SelectionKey key : selector.selectedKeys()) {
          if (key.channel() instanceof SocketChannel channel) {
            int count = channel.read(buffer.clear());
            bytes.addAndGet(Math.max(0, count));
            if (count < 0) {
              lost.incrementAndGet();
              channel.close();
            }
          }
        }
        selector.selectedKeys().clear();
      }
    } catch (IOException | ClosedSelectorException closed) {
      // The readers or the server were closed; lost streams are counted above.
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys().toArray(SelectionKey[]::new)) {
      key.channel().close();
    }
    selector.close();
  }
}
