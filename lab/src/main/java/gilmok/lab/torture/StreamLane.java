package gilmok.lab.torture;

import gilmok.lab.Servers;
import gilmok.lab.load.Requests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A map: a client that follows the riders by a stream, and reconnects with the last event id. */
final class StreamLane implements Lane {
  private static final int LINES_A_TURN = 200;
  private static final int WAIT_MILLIS = 2_000;

  private final int port;
  private String lastId = "";

  StreamLane(int port) {
    this.port = port;
  }

  @Override
  public void turn() throws IOException {
    try (Reading reading = open(port, "/v1/stream/positions?bbox=127,37,128,38", lastId)) {
      for (int i = 0; i < LINES_A_TURN; i++) {
        String line = reading.line();
        lastId = line.startsWith("id: ") ? line.substring(4) : lastId;
      }
    }
  }

  /** Opens a stream of events; a read fails after two seconds without a line. */
  static Reading open(int port, String path, String lastId) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), WAIT_MILLIS);
      socket.setSoTimeout(WAIT_MILLIS);
      String[] resume =
          lastId.isEmpty() ? new String[0] : new String[] {"Last-Event-ID: " + lastId};
      socket.getOutputStream().write(Requests.get(path, Servers.KEY, resume));
      return new Reading(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** An open stream. */
  static final class Reading implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader lines;

    private Reading(Socket socket) throws IOException {
      this.socket = socket;
      this.lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    String line() throws IOException {
      String line = lines.readLine();
      if (line == null) {
        throw new IOException("the stream has ended");
      }
      return line;
    }

    /** Reads until a line contains a text, for a limited time; returns whether one did. */
    boolean await(String text, Duration atMost) throws IOException {
      long deadline = System.nanoTime() + atMost.toNanos();
      while (System.nanoTime() < deadline) {
        if (line().contains(text)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
