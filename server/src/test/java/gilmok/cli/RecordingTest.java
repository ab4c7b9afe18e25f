package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class RecordingTest {
  @TempDir Path folder;

  @Test
  void csv_agentHeader_becomesTheApisNames() throws IOException {
    List<RecordingEntry> entries =
        entries("agent_id,at,lat,lon,altitude_m\nr-1,2008-10-23T02:53:04Z,39.984702,116.3,150.0\n");
    assertThat(entries).hasSize(1);
    assertThat(entries.getFirst().json())
        .isEqualTo(
            """
            {"riderId":"r-1","at":1224730384000,"lat":39.984702,"lon":116.3,"altitude":150.0}\
            """);
    assertThat(entries.getFirst().riderId()).isEqualTo("r-1");
    assertThat(entries.getFirst().line()).isEqualTo(2);
    assertThat(entries.getFirst().atMillis()).isEqualTo(1_224_730_384_000L);
    assertThat(entries.getFirst().path()).isEqualTo("/v1/traces");
  }

  @Test
  void csv_everyKnownColumn_isItsMember() throws IOException {
    String header =
        "User ID,Timestamp,Latitude,LNG,alt,accuracy_m,speed_mps,bearing,battery,provider,"
            + "delivery_id,id";
    assertThat(json(header + "\nr,1700000000,1,2,3,4,5,6,0.5,gps,d-1,007\n"))
        .isEqualTo(
            """
            {"riderId":"r","at":1700000000000,"lat":1,"lon":2,"altitude":3,"accuracy":4,"speed":5,\
            "bearing":6,"battery":0.5,"provider":"gps","deliveryId":"d-1","id":"007"}\
            """);
  }

  @Test
  void csv_unknownColumns_becomeAttributesAndEmptyCellsNothing() throws IOException {
    assertThat(
            json(
                "riderId,at,lat,lon,alt,zip,n,on,empty,note\n"
                    + "r,5,1,2,,007,12.5,true,,\"a \"\"b\"\n"))
        .isEqualTo(
            """
            {"riderId":"r","at":5000,"lat":1,"lon":2,\
            "attributes":{"zip":"007","n":12.5,"on":true,"note":"a \\"b"}}\
            """);
  }

  @Test
  void csv_twoRiderColumns_theFirstIsTheRider() throws IOException {
    assertThat(json("user,agent_id,at,lat,lon\nu,a,5,1,2\n"))
        .isEqualTo(
            """
            {"riderId":"u","at":5000,"lat":1,"lon":2,"attributes":{"agent_id":"a"}}\
            """);
  }

  @Test
  void csv_oddNumbers_becomeJsonNumbersAndNonsenseIsLeftToTheServer() throws IOException {
    assertThat(json("rider,time,lat,lon\nr,yesterday,+.5,1.\n"))
        .isEqualTo(
            """
            {"riderId":"r","at":"yesterday","lat":0.5,"lon":1}\
            """);
    assertThat(json("rider,time,lat,lon\nr,5,NaN,0x1p3\n"))
        .contains("\"lat\":\"NaN\"", "\"lon\":\"0x1p3\"");
  }

  @Test
  void csv_headerWithoutNeededColumns_namesThem() {
    assertThatThrownBy(() -> entries("agent_id,when,lat\nr,5,1\n"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("no column at, lon;");
  }

  @Test
  void csv_rowOfOtherLength_namesItsLine() {
    assertThatThrownBy(() -> entries("rider,at,lat,lon\nr,5,1,2\n\nr,6,1\n"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("line 4: 3 fields where the header has 4");
  }

  @Test
  void csv_byteOrderMark_isDropped() throws IOException {
    assertThat(entries("\uFEFFrider,at,lat,lon\nr,5,1,2\n")).hasSize(1);
  }

  @Test
  void gzip_isSeenFromTheBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write("rider,at,lat,lon\nr,5,1,2\n".getBytes(StandardCharsets.UTF_8));
    }
    Path file = folder.resolve("no-suffix");
    Files.write(file, bytes.toByteArray());
    assertThat(read(file)).hasSize(1);
  }

  @Test
  void gzip_cutOff_isSaid() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write("rider,at,lat,lon\nr,5,1,2\n".getBytes(StandardCharsets.UTF_8));
    }
    Path file = folder.resolve("cut.csv.gz");
    Files.write(file, Arrays.copyOf(bytes.toByteArray(), bytes.size() - 9));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("the gzip file is cut off");
  }

  @Test
  void ndjson_linesAreSentAsTheyStand() throws IOException {
    List<RecordingEntry> entries =
        entries(
            """
            {"riderId": "r-1",  "at":"2026-01-01T00:00:00Z","lat":1,"lon":2}

              {"riderId":"r-2","at":1767225600000}
            """);
    assertThat(entries)
        .extracting(RecordingEntry::json)
        .containsExactly(
            "{\"riderId\": \"r-1\",  \"at\":\"2026-01-01T00:00:00Z\",\"lat\":1,\"lon\":2}",
            "{\"riderId\":\"r-2\",\"at\":1767225600000}");
    assertThat(entries).extracting(RecordingEntry::atMillis).containsOnly(1_767_225_600_000L);
    assertThat(entries).extracting(RecordingEntry::riderId).containsExactly("r-1", "r-2");
    assertThat(entries).extracting(RecordingEntry::line).containsExactly(1L, 3L);
  }

  @Test
  void ndjson_linesOfLogCat_goWhereTheirStreamBelongs() throws IOException {
    Path file = folder.resolve("cat.ndjson");
    Files.writeString(
        file,
        """
        {"sequence":1,"recordId":"n:1","stream":"traces","record":{"riderId":"r","at":5}}
        {"sequence":2,"recordId":"n:2","stream":"actions","record":{"riderId":"r","type":"go"}}
        {"sequence":3,"recordId":"n:3","stream":"quarantine","record":{"reason":"lat"}}
        {"sequence":4,"recordId":"n:4","stream":"logs","record":{"riderId":"r","level":"info"}}
        """);
    try (Recording recording = Recording.open(file.toString())) {
      List<RecordingEntry> entries = all(recording);
      assertThat(entries)
          .extracting(RecordingEntry::path)
          .containsExactly("/v1/traces", "/v1/actions", "/v1/logs");
      assertThat(entries.getFirst().json()).isEqualTo("{\"riderId\":\"r\",\"at\":5}");
      assertThat(recording.passedOver()).isEqualTo(1);
      assertThat(recording.progress()).isEqualTo(1);
    }
  }

  @Test
  void ndjson_brokenLine_isNamed() {
    assertThatThrownBy(() -> entries("{\"riderId\":\"r\"}\n{\"riderId\":\n"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("line 2: not JSON");
    assertThatThrownBy(() -> entries("{\"riderId\":\"r\"}\n17\n"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("line 2: not a JSON object");
  }

  @Test
  void open_bytesThatAreNotUtf8_refuses() throws IOException {
    Path file = folder.resolve("latin.csv");
    Files.write(file, "rider,at,lat,lon\nJos\u00e9,5,1,2\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("not UTF-8");
  }

  @Test
  void open_missingFileOrFolder_saysSo() {
    assertThatThrownBy(() -> Recording.open(folder.resolve("none.csv").toString()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("there is no file");
    assertThatThrownBy(() -> Recording.open(folder.toString()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is a folder");
  }

  private String json(String text) throws IOException {
    return entries(text).getFirst().json();
  }

  private List<RecordingEntry> entries(String text) throws IOException {
    Path file = folder.resolve("recording");
    Files.writeString(file, text);
    return read(file);
  }

  private static List<RecordingEntry> read(Path file) throws IOException {
    try (Recording recording = Recording.open(file.toString())) {
      return all(recording);
    }
  }

  private static List<RecordingEntry> all(RecordingSource source) throws IOException {
    List<RecordingEntry> entries = new ArrayList<>();
    for (RecordingEntry entry = source.next(); entry != null; entry = source.next()) {
      entries.add(entry);
    }
    return entries;
  }
}
