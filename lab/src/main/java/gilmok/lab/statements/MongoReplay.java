package gilmok.lab.statements;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A proxy to a database that speaks MongoDB's wire protocol, on a port of loopback of its own. The
 * first time, a read is forwarded and its response recorded; later the recorded response is sent. A
 * write is forwarded and removes the recorded responses of its collection. Everything else is
 * forwarded.
 *
 * <p>Each connection has a thread, and a connection to the database if it needs one. Thread-safe.
 */
final class MongoReplay implements AutoCloseable {
  private static final int CONNECTIONS_MAX = 512;
  private static final int MESSAGE_BYTES_MAX = 48_000_000;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int RECORDINGS_MAX = 20_000;
  private static final long RECORDED_BYTES_MAX = 128L << 20;

  private static final Set<String> READS =
      Set.of("find", "aggregate", "getMore", "count", "distinct");
  private static final Set<String> WRITES =
      Set.of("insert", "update", "delete", "findAndModify", "findandmodify", "drop");

  private final InetSocketAddress database;
  private final ServerSocketChannel listener;
  private final Recordings recordings = new Recordings(RECORDINGS_MAX, RECORDED_BYTES_MAX);
  private final Set<Client> clients = ConcurrentHashMap.newKeySet();
  private final AtomicLong passed = new AtomicLong();
  private final AtomicLong replayed = new AtomicLong();

  /**
   * Starts listening.
   *
   * @param port of loopback; 0 for a free one
   * @param databasePort the database's port on loopback
   */
  MongoReplay(int port, int databasePort) throws IOException {
    database = new InetSocketAddress(InetAddress.getLoopbackAddress(), databasePort);
    listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS_MAX);
    Thread.ofPlatform().daemon().name("replay accept").start(this::accept);
  }

  /** The port it listens on. */
  int port() {
    return listener.socket().getLocalPort();
  }

  /** The number of commands that were forwarded. */
  long passed() {
    return passed.get();
  }

  /** The number of commands that were answered from a recording. */
  long replayed() {
    return replayed.get();
  }

  /** The number of recorded responses. */
  int recorded() {
    return recordings.size();
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        SocketChannel channel = listener.accept();
        if (clients.size() >= CONNECTIONS_MAX) {
          channel.close();
          continue;
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        Client client = new Client(channel);
        clients.add(client);
        Thread.ofPlatform().daemon().name("replay").start(client);
      } catch (ClosedChannelException closed) {
        return;
      } catch (IOException gone) {
        System.err.println("replay: " + gone);
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Client client : clients) {
      client.end();
    }
  }

  /** One connection of a client. Owned by its thread, except for {@link #end}. */
  private final class Client implements Runnable {
    private final SocketChannel channel;
    private final Input input;
    private final ByteBuffer header =
        ByteBuffer.allocateDirect(MongoMessage.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private @Nullable SocketChannel far;
    private @Nullable Input farInput;

    Client(SocketChannel channel) {
      this.channel = channel;
      this.input = new Input(channel);
    }

    @Override
    public void run() {
      try {
        while (true) {
          answer(new MongoMessage(input.message()));
        }
      } catch (EOFException | ClosedChannelException ended) {
        return;
      } catch (IOException | RuntimeException broken) {
        System.err.println("replay: a connection ends: " + broken);
      } finally {
        clients.remove(this);
        end();
      }
    }

    private void answer(MongoMessage asked) throws IOException {
      String collection = asked.hasBody() ? asked.collection() : null;
      String command = asked.hasBody() ? asked.command() : "";
      if (collection != null && asked.isPlain() && READS.contains(command)) {
        read(asked, command, collection);
        return;
      }
      String written = WRITES.contains(command) ? collection : null;
      if (written != null) {
        recordings.forget(written);
      }
      MongoMessage answer = pass(asked);
      if (written != null) {
        // Again, for responses that were read during the write and may be older than it.
        recordings.forget(written);
      }
      if (answer != null) {
        write(ByteBuffer.wrap(answer.bytes()));
      }
    }

    private void read(MongoMessage asked, String command, String collection) throws IOException {
      MongoMessage.Key key = asked.key();
      ByteBuffer known = recordings.find(key);
      if (known != null) {
        replayed.incrementAndGet();
        header.clear().put(known.slice(0, MongoMessage.HEADER_BYTES)).flip();
        header.putInt(8, asked.requestId());
        known.position(MongoMessage.HEADER_BYTES);
        writeBoth(known);
        return;
      }
      long writes = recordings.writes(collection);
      int at = command.equals("getMore") ? asked.askedCursor() : -1;
      if (at >= 0) {
        asked.number(at, recordings.original(asked.number(at)));
      }
      MongoMessage answer = pass(asked);
      if (answer == null) {
        return;
      }
      int cursor = answer.isOk() ? answer.answeredCursor() : -1;
      if (cursor >= 0 && answer.number(cursor) != 0) {
        answer.number(cursor, recordings.renamed(answer.number(cursor)));
      }
      if (answer.isOk()) {
        recordings.keep(key, collection, writes, answer.bytes());
      }
      write(ByteBuffer.wrap(answer.bytes()));
    }

    /** Forwards a message; returns the response, or null if there is none. */
    private @Nullable MongoMessage pass(MongoMessage asked) throws IOException {
      passed.incrementAndGet();
      boolean answered = !asked.moreToCome();
      asked.forbidExhaust();
      SocketChannel to = far;
      Input from = farInput;
      if (to == null || from == null) {
        to = SocketChannel.open(database);
        to.setOption(StandardSocketOptions.TCP_NODELAY, true);
        far = to;
        from = new Input(to);
        farInput = from;
      }
      ByteBuffer bytes = ByteBuffer.wrap(asked.bytes());
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
      return answered ? new MongoMessage(from.message()) : null;
    }

    private void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }

    private void writeBoth(ByteBuffer rest) throws IOException {
      ByteBuffer[] both = {header, rest};
      while (rest.hasRemaining()) {
        channel.write(both);
      }
    }

    void end() {
      try (SocketChannel near = channel;
          SocketChannel other = far) {
        near.shutdownInput();
        if (other != null) {
          other.shutdownInput();
        }
      } catch (IOException gone) {
        return;
      }
    }
  }

  /** Reads whole messages from a connection. Owned by one thread. */
  private static final class Input {
    private final SocketChannel channel;
    private final ByteBuffer buffer =
        ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).flip();

    Input(SocketChannel channel) {
      this.channel = channel;
    }

    byte[] message() throws IOException {
      while (buffer.remaining() < 4) {
        fill();
      }
      int length = buffer.getInt(buffer.position());
      if (length < MongoMessage.HEADER_BYTES || length > MESSAGE_BYTES_MAX) {
        throw new IOException("a message of " + length + " bytes");
      }
      byte[] bytes = new byte[length];
      int end = 0;
      while (end < length) {
        if (!buffer.hasRemaining()) {
          fill();
        }
        int count = Math.min(length - end, buffer.remaining());
        buffer.get(bytes, end, count);
        end += count;
      }
      return bytes;
    }

    private void fill() throws IOException {
      buffer.compact();
      int count = channel.read(buffer);
      buffer.flip();
      if (count < 0) {
        throw new EOFException();
      }
    }
  }
}
