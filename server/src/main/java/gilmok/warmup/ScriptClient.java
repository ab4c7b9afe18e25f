package gilmok.warmup;

import java.io.IOException;

/**
 * A client that sends the requests of scripts to a server of this machine, one at a time. Not
 * thread-safe.
 */
public interface ScriptClient extends AutoCloseable {
  /**
   * Sends a request and reads the whole response; of an event stream only the beginning.
   *
   * @param request a whole request of HTTP/1.1, whatever the client sends it as
   * @return the response's status code
   * @throws IOException when the connection fails or the response is not HTTP
   */
  int exchange(byte[] request) throws IOException;

  /**
   * The value of a capture in the last response; empty if it is not there. Only the beginning of a
   * body is searched.
   */
  String found(ResponseCapture capture);

  /** Whether the server closes the connection, so that no further request can be sent. */
  boolean isOver();

  @Override
  void close() throws IOException;

  /** Opens clients. Thread-safe. */
  @FunctionalInterface
  interface Connector {
    /**
     * Opens a client.
     *
     * @param lane the number of the connection, from 0; some connectors give each its own protocol
     */
    ScriptClient connect(int lane) throws IOException;
  }
}
