package gilmok.collect.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.gpslogger.GpsLogger;
import gilmok.collect.osmand.Osmand;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests of real clients, decoded by the flat dialects. Each gives a position unless listed here.
 */
@Tag("unit")
class FlatRecordedTest {
  private static final Map<String, String> REJECTS =
      Map.of(
          "osmand/latitude-out-of-range", "lat: out of range",
          "osmand/no-id", "id: missing");

  private static final Set<String> HEARTBEATS =
      Set.of(
          "osmand/cells-and-wifi-no-position", "osmand/notification-token", "traccar10/heartbeat");

  static Stream<Recorded> requests() {
    return Stream.of("osmand", "traccar10", "gpslogger").flatMap(app -> Recorded.of(app).stream());
  }

  @ParameterizedTest
  @MethodSource("requests")
  void decode_recorded_rightKindAndCount(Recorded request) {
    boolean isGpsLogger = request.name().startsWith("gpslogger/");
    Dialect dialect = isGpsLogger ? new GpsLogger() : new Osmand();
    Decoded decoded = Decoded.of(dialect, request.parameters());
    assertThat(decoded.toString()).doesNotContain("attributesDropped").doesNotContain("gk_");
    if (REJECTS.containsKey(request.name())) {
      assertThat(decoded.reject()).isEqualTo(REJECTS.get(request.name()));
    } else if (request.name().equals("traccar10/json-array")) {
      assertThat(decoded.rejects()).isEmpty();
      assertThat(decoded.events().stream().map(FlatRecordedTest::isHeartbeat))
          .containsExactly(false, false, true);
    } else {
      assertThat(isHeartbeat(decoded.event())).isEqualTo(HEARTBEATS.contains(request.name()));
    }
    byte[] bytes = request.parameters().getBytes(StandardCharsets.UTF_8);
    assertThat(GpsLogger.speaks(Parameters.of(bytes, 0, bytes.length))).isEqualTo(isGpsLogger);
  }

  @Test
  void requests_areThoseThatAreListed() {
    List<String> names = requests().map(Recorded::name).toList();
    assertThat(names).hasSizeGreaterThan(30).containsAll(REJECTS.keySet()).containsAll(HEARTBEATS);
  }

  private static boolean isHeartbeat(String event) {
    boolean isHeartbeat = event.contains("\"message\":\"heartbeat\"");
    assertThat(event.contains("\"lat\":")).isNotEqualTo(isHeartbeat);
    return isHeartbeat;
  }
}
