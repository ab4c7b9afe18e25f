package gilmok.sinks.firehose;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A proxy on loopback for {@code CONNECT}. It connects every host to one port of loopback, or
 * answers with a fixed status. It keeps the first line of each request.
 */
final class TunnelProxy implements AutoCloseable {
  private final ServerSocket socket;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final int status;
  private final int port;

  /** A proxy that connects every host to this port. */
  static TunnelProxy to(int port) throws IOException {
    return new TunnelProxy(200, port);
  }

  /** A proxy that answers every request with this status. */
  static TunnelProxy refusing(int status) throws IOException {
    return new TunnelProxy(status, 0);
  }

  private TunnelProxy(int status, int port) throws IOException {
    this.status = status;
    this.port = port;
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Future<Void> _ = threads.submit(this::accept);
  }

  /** Its address; {@code who} is {@code user:password@} or empty. */
  URI uri(String who) {
    return URI.create("http://" + who + "127.0.0.1:" + socket.getLocalPort());
  }

  List<String> asked() {
    return asked;
  }

  /** The values of {@code Proxy-Authorization} that it received. */
  List<String> shown() {
    return shown;
  }

  private Void accept() throws IOException {
    while (true) {
      Socket client = socket.accept();
      Future<Void> _ = threads.submit(() -> serve(client));
    }
  }

  private Void serve(Socket client) throws IOException {
    try (client) {
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      asked.add(line(in));
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        if (line.regionMatches(true, 0, "Proxy-Authorization: ", 0, 21)) {
          shown.add(line.substring(21));
        }
      }
      boolean isOpen = status == 200;
      String head =
          isOpen
              ? " Connection established\r\n"
              : " No\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n";
      out.write(("HTTP/1.1 " + status + head + "\r\n").getBytes(StandardCharsets.US_ASCII));
      if (isOpen) {
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
          Future<Long> _ = threads.submit(() -> server.getInputStream().transferTo(out));
          in.transferTo(server.getOutputStream());
        }
      }
    }
    return null;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    threads.shutdownNow();
  }
}
