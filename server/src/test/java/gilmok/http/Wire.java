package gilmok.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A bare socket that speaks HTTP/1, for tests that decide every byte. */
final class Wire implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  Wire(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  Wire(Socket socket) throws IOException {
    this.socket = socket;
    this.socket.setSoTimeout(20_000);
    this.socket.setTcpNoDelay(true);
    this.in = new java.io.BufferedInputStream(socket.getInputStream());
  }

  /** An answer as received. */
  @SuppressWarnings("ArrayRecordComponent")
  record Answer(int status, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** Sends a head of these lines, and the empty line after it. */
  Wire head(String... lines) throws IOException {
    return send(String.join("\r\n", lines) + "\r\n\r\n");
  }

  Wire send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  Wire send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  Wire post(String path, byte[] body, String... headers) throws IOException {
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: t\r\n");
    head.append("X-Api-Key: ").append(Edge.KEY).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
    all.writeBytes(body);
    return send(all.toByteArray());
  }

  Wire get(String path, String... headers) throws IOException {
    StringBuilder head = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: t\r\n");
    head.append("X-Api-Key: ").append(Edge.KEY).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return send(head.append("\r\n").toString());
  }

  Answer read() throws IOException {
    return read(true);
  }

  Answer readHead() throws IOException {
    return read(false);
  }

  private Answer read(boolean withBody) throws IOException {
    String first = line();
    if (!first.startsWith("HTTP/1.")) {
      throw new IOException("no answer: " + first);
    }
    int status = Integer.parseInt(first.substring(9, 12));
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = new byte[0];
    if (withBody && length > 0) {
      body = in.readNBytes(length);
      if (body.length < length) {
        throw new EOFException("the answer is cut");
      }
    }
    return new Answer(status, headers, body);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("closed");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads to the end; returns whether the server closed, by a FIN or a reset. */
  boolean isClosedByServer() throws IOException {
    try {
      in.readAllBytes();
      return true;
    } catch (SocketException e) {
      return true;
    }
  }

  /** Reads until the server closes. */
  String readAll() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Reads as many bytes as the text has. */
  String next(String text) throws IOException {
    return new String(in.readNBytes(text.length()), StandardCharsets.UTF_8);
  }

  /** Reads at most that many bytes, until the socket's timeout; returns how many came. */
  int count(int max) throws IOException {
    int count = 0;
    try {
      while (count < max && in.read() >= 0) {
        count++;
      }
    } catch (SocketTimeoutException nothingMore) {
      // The timeout ends the count.
    }
    return count;
  }

  Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
