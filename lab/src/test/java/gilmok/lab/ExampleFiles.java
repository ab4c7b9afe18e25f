package gilmok.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** The files that examples of helps name, as a user would have them. */
final class ExampleFiles {
  private static final String DAY =
      """
      {"riderId":"r-2","at":"2026-11-26T10:00:00Z","lat":37,"lon":127}
      {"riderId":"r-2","at":"2026-11-26T10:00:09Z","lat":37,"lon":127}
      """;

  private static final Map<String, String> TEXTS =
      Map.of(
          "gilmok.yaml",
          "sinks.enabled: [files]\n",
          "day.ndjson",
          DAY,
          "export.ndjson",
          DAY,
          "theirs.yaml",
          """
          path: /theirs
          content: lines
          fields: { riderId: /riderId, at: /at, lat: /lat, lon: /lon }
          """,
          "old.csv",
          """
          order_no,store,state,courier,lat,lon,address,created,picked,done
          o-1,s-1,done,r-1,37.5,127.0,Main Street 1,2026-03-01 10:00:00,\
          2026-03-01 10:20:00,2026-03-01 10:40:00
          """,
          "deliveries.yaml",
          """
          into: deliveries
          content: csv
          fields:
            orderId: /order_no
            shopId: /store
            status: { from: /state, values: { done: COMPLETED, void: CANCELLED } }
            riderId: /courier
            pickup.lat: /lat
            pickup.lon: /lon
            pickup.address: { constant: "-" }
            dropoff.lat: /lat
            dropoff.lon: /lon
            dropoff.address: /address
            createdAt: { from: /created, pattern: yyyy-MM-dd HH:mm:ss, zone: Asia/Seoul }
            pickedUpAt: { from: /picked, pattern: yyyy-MM-dd HH:mm:ss, zone: Asia/Seoul }
            completedAt: { from: /done, pattern: yyyy-MM-dd HH:mm:ss, zone: Asia/Seoul }
          """,
          "keys.csv",
          "name,key,rider\nold-app-1,theirs-1234567890123456,r-7\n",
          "body.json",
          """
          {"agent":"r-7","points":[{"at":"2026-03-01T10:00:00Z","lat":37.5,"lon":127}]}
          """,
          "points.csv",
          "time,lat,lon\n2026-03-01T10:00:00Z,37.5,127\n");

  private static final Map<String, String> FORMATS =
      Map.of(
          "rider-app.yaml",
          """
          path: /agents/points
          records: /points
          fields: { riderId: "body:/agent", at: /at, lat: /lat, lon: /lon }
          """,
          "old.yaml",
          """
          path: /agents/{agent}/track
          content: csv
          fields:
            riderId: "path:agent"
            provider: "header:X-Device"
            at: /time
            lat: /lat
            lon: /lon
          """);

  private ExampleFiles() {}

  /** Writes them into the folder. */
  static void write(Path folder) throws IOException {
    try (OutputStream file = Files.newOutputStream(folder.resolve("positions.csv.gz"));
        OutputStream csv = new GZIPOutputStream(file)) {
      csv.write("riderId,at,lat,lon\nr-1,2026-03-01T10:00:00Z,37.4,127\n".getBytes(UTF_8));
    }
    writeAll(folder, TEXTS);
    writeAll(Files.createDirectories(folder.resolve("formats")), FORMATS);
  }

  private static void writeAll(Path folder, Map<String, String> texts) throws IOException {
    for (Map.Entry<String, String> text : texts.entrySet()) {
      Files.writeString(folder.resolve(text.getKey()), text.getValue());
    }
  }
}
