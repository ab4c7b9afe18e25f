package gilmok.history;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.JsonBuffer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What the four forms of an answer are, to whoever reads them. */
@Tag("unit")
final class TraceWriterTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long NOON = 1_790_000_000_000L;

  /** Nothing came for long. */
  private record Gap() {}

  private static TracePoint point(long at, double lat, double lon) {
    return new TracePoint(new Place(at, 1, 2), lat, lon, TracePoint.Measured.NOTHING, null, null);
  }

  private static TracePoint full(long at, double lat, double lon, @Nullable String provider) {
    TracePoint.Measured measured = new TracePoint.Measured(4.5, 7, 270, -3.25, 0.5);
    return new TracePoint(new Place(at, 1, 2), lat, lon, measured, provider, "d,1");
  }

  private static String written(TraceFormat format, @Nullable String next, Object... ridersPoints) {
    TraceWriter writer = format.writer();
    JsonBuffer out = new JsonBuffer();
    writer.begin(out);
    String rider = "";
    for (Object one : ridersPoints) {
      switch (one) {
        case TracePoint point -> writer.point(rider, point, out);
        case Gap _ -> writer.gap(out);
        default -> rider = one.toString();
      }
    }
    writer.end(next, out);
    return out.toString();
  }

  @Test
  void json_isAPageOfPositions() {
    String page =
        written(TraceFormat.JSON, "more", "r \"1\"", full(NOON, 37.5, 127, "gps"), point(1, 0, 0));
    JsonNode json = JSON.readTree(page);
    assertThat(json.path("next").asString()).isEqualTo("more");
    assertThat(json.path("items").get(0))
        .isEqualTo(
            JSON.readTree(
                """
                {"riderId":"r \\"1\\"","at":"2026-09-21T14:13:20Z","lat":37.5,"lon":127,
                 "accuracy":4.5,"speed":7,"bearing":270,"altitude":-3.25,"battery":0.5,
                 "provider":"gps","deliveryId":"d,1"}
                """));
    assertThat(json.path("items").get(1).size()).isEqualTo(4);
    assertThat(JSON.readTree(written(TraceFormat.JSON, null)))
        .isEqualTo(JSON.readTree("{\"items\":[],\"next\":null}"));
  }

  @Test
  void csv_hasTheNumberOfFieldsOfItsHeader_andQuotes() {
    String csv =
        written(
            TraceFormat.CSV,
            null,
            "r,1",
            full(NOON, 37.5, 127, "a \"b\""),
            "r2",
            point(NOON + 1, -0.0000001, 180));
    assertThat(csv)
        .isEqualTo(
            "riderId,at,lat,lon,accuracy,speed,bearing,altitude,battery,provider,deliveryId\r\n"
                + "\"r,1\",2026-09-21T14:13:20Z,37.5,127,4.5,7,270,-3.25,0.5,"
                + "\"a \"\"b\"\"\",\"d,1\"\r\n"
                + "r2,2026-09-21T14:13:20.001Z,-0.0000001,180,,,,,,,\r\n");
  }

  @Test
  void gpx_isAsItsSchemaWantsIt() throws Exception {
    String gpx =
        written(
            TraceFormat.GPX,
            null,
            "<r> & \uFFFF",
            full(NOON, 1e-10, 180, null),
            point(NOON + 1000, -90, -180),
            new Gap(),
            point(NOON + 2000, 1, 1),
            "r2",
            point(NOON, 2, 2));
    Document document = xml(gpx);
    Element root = document.getDocumentElement();
    assertThat(root.getNamespaceURI()).isEqualTo("http://www.topografix.com/GPX/1/1");
    assertThat(root.getAttribute("version")).isEqualTo("1.1");
    assertThat(root.getAttribute("creator")).isNotEmpty();
    List<Element> tracks = children(root, "trk");
    assertThat(tracks).hasSize(2);
    assertThat(children(tracks.get(0), "name").getFirst().getTextContent())
        .isEqualTo("<r> & \uFFFD");
    List<Element> segments = children(tracks.get(0), "trkseg");
    assertThat(segments.stream().map(each -> children(each, "trkpt").size())).containsExactly(2, 1);
    List<Element> points = children(segments.getFirst(), "trkpt");
    for (Element point : points) {
      // xsd:decimal, within the bounds of latitudeType and longitudeType
      assertThat(point.getAttribute("lat")).matches("-?\\d+(\\.\\d+)?");
      assertThat(point.getAttribute("lon")).matches("-?\\d+(\\.\\d+)?");
      assertThat(Double.parseDouble(point.getAttribute("lon"))).isBetween(-180.0, 179.9999999);
      assertThat(children(point, "time").getFirst().getTextContent())
          .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    }
    // a sequence: ele comes before time
    assertThat(names(points.getFirst())).containsExactly("ele", "time");
    assertThat(names(points.get(1))).containsExactly("time");
    assertThat(points.getFirst().getAttribute("lat")).isEqualTo("0.0000000001");
    assertThat(children(xml(written(TraceFormat.GPX, null)).getDocumentElement(), "trk")).isEmpty();
  }

  private static Document xml(String text) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> children(Element parent, String name) {
    return elements(parent).stream().filter(one -> one.getTagName().equals(name)).toList();
  }

  private static List<String> names(Element parent) {
    return elements(parent).stream().map(Element::getTagName).toList();
  }

  private static List<Element> elements(Element parent) {
    List<Element> all = new ArrayList<>();
    for (Node one = parent.getFirstChild(); one != null; one = one.getNextSibling()) {
      if (one instanceof Element element) {
        all.add(element);
      }
    }
    return all;
  }

  @Test
  void geojson_linesHaveATimeForEachPosition() {
    JsonNode json =
        JSON.readTree(
            written(
                TraceFormat.GEOJSON,
                null,
                "r1",
                full(NOON, 37.5, 127, null),
                point(NOON + 1, 37.6, 127.1),
                new Gap(),
                point(NOON + 2, 37.7, 127.2),
                "r2",
                point(NOON, 1, 2),
                point(NOON + 5, 3, 4)));
    assertThat(json.path("type").asString()).isEqualTo("FeatureCollection");
    JsonNode features = json.path("features");
    assertThat(features.size()).isEqualTo(3);
    assertThat(features.get(0))
        .isEqualTo(
            JSON.readTree(
                """
                {"type":"Feature","geometry":{"type":"LineString",
                 "coordinates":[[127,37.5,-3.25],[127.1,37.6]]},
                 "properties":{"riderId":"r1",
                 "coordTimes":["2026-09-21T14:13:20Z","2026-09-21T14:13:20.001Z"]}}
                """));
    assertThat(features.get(1).path("geometry"))
        .isEqualTo(JSON.readTree("{\"type\":\"Point\",\"coordinates\":[127.2,37.7]}"));
    assertThat(features.get(1).path("properties").path("coordTimes").size()).isEqualTo(1);
    assertThat(features.get(2).path("properties").path("riderId").asString()).isEqualTo("r2");
    assertThat(JSON.readTree(written(TraceFormat.GEOJSON, null)).path("features").size()).isZero();
  }

  @Test
  void geojson_aLongLineGoesOnInAnotherThatBeginsWhereItEnds() {
    int size = 2 * GeoJsonTrace.LINE_MAX + 7;
    List<Object> all = new ArrayList<>(List.of("r"));
    IntStream.range(0, size).forEach(i -> all.add(point(NOON + i, 1, i / 1e4)));
    JsonNode features =
        JSON.readTree(written(TraceFormat.GEOJSON, null, all.toArray())).path("features");
    List<Double> longitudes = new ArrayList<>();
    for (JsonNode feature : features) {
      JsonNode coordinates = feature.path("geometry").path("coordinates");
      assertThat(coordinates.size()).isBetween(2, GeoJsonTrace.LINE_MAX);
      assertThat(feature.path("properties").path("coordTimes").size())
          .isEqualTo(coordinates.size());
      double first = coordinates.get(0).get(0).asDouble();
      if (!longitudes.isEmpty()) {
        assertThat(first).isEqualTo(longitudes.removeLast());
      }
      coordinates.forEach(one -> longitudes.add(one.get(0).asDouble()));
    }
    assertThat(longitudes).isEqualTo(IntStream.range(0, size).mapToObj(i -> i / 1e4).toList());
  }
}
