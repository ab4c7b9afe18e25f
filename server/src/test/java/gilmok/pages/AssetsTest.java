package gilmok.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import gilmok.Repository;
import gilmok.compress.ContentCoding;
import gilmok.http.FixedBody;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files of the pages: all are there, ours are tidy, those of others are unchanged. */
@Tag("unit")
class AssetsTest {
  private static final Path WEB = Repository.root().resolve("server/src/main/resources/web");
  private static final Pattern IMPORT = Pattern.compile("from \"\\./([^\"]+)\"");
  private static final Pattern LOADED = Pattern.compile("/assets/\\{version}/([^\"]+)");
  private static final Pattern WORD =
      Pattern.compile("^  \"?([\\w-]+)\"?: \\[(.*)],$", Pattern.MULTILINE);
  private static final Pattern SAID =
      Pattern.compile("(?:\\bsay\\(\"|data-t(?:-\\w+)?=\")(\\w+)\"");
  private static final int OWN_LINES_MAX = 400;

  @Test
  void lists_haveEveryFileOfTheFolder() throws IOException {
    TreeSet<String> listed = new TreeSet<>(Assets.OWN);
    listed.addAll(Assets.VENDORED);
    listed.addAll(List.of(Assets.VENDOR_LIST, "index.html", "link.html", "ops.html", "track.html"));
    try (Stream<Path> files = Files.list(WEB)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(listed);
    }
  }

  @Test
  void vendored_isWhatVendorJsonSays() throws Exception {
    JsonNode list = JsonMapper.shared().readTree(Files.readString(WEB.resolve(Assets.VENDOR_LIST)));
    List<String> named = new ArrayList<>();
    for (JsonNode part : list) {
      assertThat(part.findValuesAsString("integrity"))
          .isNotEmpty()
          .allSatisfy(one -> assertThat(one).startsWith("sha512-"));
      for (String name : part.path("files").propertyNames()) {
        named.add(name);
        isUnchanged(name, part.path("files").path(name));
      }
    }
    assertThat(named).containsExactlyInAnyOrderElementsOf(Assets.VENDORED);
    String library = Files.readString(WEB.resolve("maplibre-gl.mjs"));
    String version = list.path("maplibre-gl").path("version").asString();
    assertThat(library).contains("/v" + version + "/LICENSE.txt");
  }

  private static void isUnchanged(String name, JsonNode said) throws Exception {
    byte[] bytes = Files.readAllBytes(WEB.resolve(name));
    assertThat(said.path("bytes").asInt()).as(name).isEqualTo(bytes.length);
    assertThat(said.path("sha256").asString())
        .as(name + " is not as it was taken")
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
  }

  /** What a page without tiles loads beside the library, over the wire. */
  @Test
  void world_isSmall_andItsLicencesAreThere() throws IOException {
    Asset world = Objects.requireNonNull(new Assets().find("world.json"));
    assertThat(world.content().bytes(ContentCoding.GZIP).length).isLessThan(150_000);
    assertThat(read("world.LICENSE.txt")).contains("Natural Earth", "public domain", "Bostock");
    assertThat(read("pmtiles.LICENSE.txt")).contains("Protomaps LLC", "Arjun Barrett");
  }

  @Test
  void whatIsImportedOrLoaded_isServed() throws IOException {
    Assets assets = new Assets();
    List<String> named = new ArrayList<>();
    for (String name : Assets.OWN) {
      if (name.endsWith(".js")) {
        IMPORT.matcher(read(name)).results().forEach(found -> named.add(found.group(1)));
      }
    }
    for (String page : List.of("index.html", "ops.html")) {
      LOADED.matcher(read(page)).results().forEach(found -> named.add(found.group(1)));
    }
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(named).allSatisfy(name -> assertThat(assets.find(name)).as(name).isNotNull());
  }

  @Test
  void ours_isShortAndLoadsNothingFromElsewhere() throws IOException {
    for (String name : Assets.OWN) {
      String text = read(name);
      assertThat(text.lines().count()).as("lines of " + name).isLessThan(OWN_LINES_MAX);
      if (!name.endsWith(".svg")) {
        assertThat(text.replace("http://www.w3.org/2000/svg", ""))
            .as(name)
            .doesNotContain("http://", "https://", "innerHTML", "eval(", "style=\"");
      }
    }
    for (String page : List.of("index.html", "ops.html")) {
      assertThat(read(page)).as(page).doesNotContain("style=", "onclick", "<style", "http");
    }
  }

  @Test
  void words_areAllThere_inBothLanguages() throws IOException {
    TreeSet<String> known = new TreeSet<>();
    Matcher word = WORD.matcher(read("words.js") + read("ops-words.js"));
    while (word.find()) {
      known.add(word.group(1));
      assertThat(word.group(2)).as(word.group(1)).matches("\".+\", \".+\"");
    }
    TreeSet<String> said = new TreeSet<>();
    List<String> sayers = new ArrayList<>(Assets.OWN);
    sayers.addAll(List.of("index.html", "ops.html"));
    for (String name : sayers) {
      SAID.matcher(read(name)).results().forEach(found -> said.add(found.group(1)));
    }
    assertThat(said).hasSizeGreaterThan(40);
    assertThat(known).containsAll(said);
  }

  /** One rule: a wish is 해 주세요, a warning 하지 마세요; and one word for a phone. */
  @Test
  void korean_asksInOneWay_andHasOneWordForAPhone() throws IOException {
    List<Path> files = new ArrayList<>();
    Assets.OWN.forEach(name -> files.add(WEB.resolve(name)));
    files.add(Repository.root().resolve("server/src/main/resources/gilmok/http/reasons-ko.txt"));
    files.add(Repository.root().resolve("README.ko.md"));
    for (Path file : files) {
      assertThat(Files.readString(file))
          .as(file.toString())
          .doesNotContain("휴대전화", "십시오")
          .doesNotContainPattern("(?<!주|마)세요");
    }
  }

  @Test
  void content_packed_isTheSame() throws IOException {
    Asset asset = Objects.requireNonNull(new Assets().find("maplibre-gl.mjs"));
    assertThat(asset.contentIfRead()).isNull();
    FixedBody content = asset.content();
    byte[] plain = content.bytes(ContentCoding.IDENTITY);
    byte[] packed = content.bytes(ContentCoding.GZIP);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      assertThat(in.readAllBytes()).isEqualTo(plain);
    }
    assertThat(packed.length).isLessThan(plain.length / 3);
    assertThat(Zstd.decompress(content.bytes(ContentCoding.ZSTD), plain.length)).isEqualTo(plain);
    assertThat(asset.contentIfRead()).isSameAs(content);
    assertThat(plain).isEqualTo(Files.readAllBytes(WEB.resolve("maplibre-gl.mjs")));
  }

  @Test
  void version_isTheSameEachTime() {
    assertThat(new Assets().version()).matches("[0-9a-f]{16}").isEqualTo(new Assets().version());
  }

  private static String read(String name) throws IOException {
    return Files.readString(WEB.resolve(name), StandardCharsets.UTF_8);
  }
}
