package gilmok.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A reader of {@code GET /v1/stream/positions}. Its own thread queues the events for the test. */
final class EventStream implements AutoCloseable {
  private static final Event END = new Event("", "the end", "{}");

  private final HttpResponse<InputStream> response;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final List<String> beside = new ArrayList<>();

  /** One server-sent event. */
  record Event(String id, String type, String data) {
    JsonNode json() {
      return JsonMapper.shared().readTree(data);
    }

    String rider() {
      return json().path("riderId").asString("");
    }
  }

  EventStream(RunningServer server, HttpClient client, String query)
      throws IOException, InterruptedException {
    this(server, client, server.adminKey(), query, null);
  }

  EventStream(
      RunningServer server, HttpClient client, String key, String query, @Nullable String lastId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri("/v1/stream/positions?interval=100&" + query))
            .header("X-Api-Key", key);
    if (lastId != null) {
      request.header("Last-Event-ID", lastId);
    }
    response = client.send(request.build(), BodyHandlers.ofInputStream());
    Thread.ofVirtual().start(this::read);
  }

  int status() {
    return response.statusCode();
  }

  String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /**
   * Takes the next event.
   *
   * @throws AssertionError if none comes within 20 seconds
   */
  Event next() throws InterruptedException {
    Event event = events.poll(20, TimeUnit.SECONDS);
    if (event == null) {
      throw new AssertionError("no event came");
    }
    return event;
  }

  List<Event> next(int count) throws InterruptedException {
    List<Event> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(next());
    }
    return taken;
  }

  /** Takes the next event; whether it is the stream's end. */
  boolean endsNext() throws InterruptedException {
    return next().equals(END);
  }

  /** The lines so far that belong to no event. */
  synchronized List<String> beside() {
    return List.copyOf(beside);
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      String id = "";
      String type = "message";
      String data = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          type = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        } else if (!line.isEmpty()) {
          synchronized (this) {
            beside.add(line);
          }
        } else if (!data.isEmpty()) {
          events.add(new Event(id, type, data));
          data = "";
          type = "message";
        }
      }
    } catch (IOException gone) {
      // An error ends the stream as an orderly end does.
    }
    events.add(END);
  }

  @Override
  public void close() throws IOException {
    response.body().close();
  }
}
