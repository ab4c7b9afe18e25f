package gilmok.collect.json;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.Decimal;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The reader against Jackson's pointers, over generated uploads; and whatever bytes. */
@Tag("unit")
class PointerReaderTest {
  private static final String[] NAMES = {
    "a", "b", "lat", "a/b", "m~n", "ü", "long-name-of-a-member"
  };

  /** What the reader found in each record, as JSON, by the numbers of the pointers. */
  private static final class Found implements PointedValues {
    private final List<Map<Integer, String>> records = new ArrayList<>();
    private final List<String> rejects = new ArrayList<>();
    private final Map<Integer, String> shared = new LinkedHashMap<>();
    private final Map<Integer, JsonBuffer> open = new LinkedHashMap<>();
    private final Map<String, JsonBuffer> members = new LinkedHashMap<>();
    private final List<Map<String, String>> others = new ArrayList<>();
    private Map<Integer, String> present = shared;

    @Override
    public void text(int number, byte[] bytes, int offset, int length, boolean isPlain) {
      JsonBuffer out = new JsonBuffer();
      out.string(bytes, offset, length);
      present.put(number, out.toString());
    }

    @Override
    public void number(int number, Decimal decimal, byte[] bytes, int offset, int length) {
      present.put(number, new String(bytes, offset, length, StandardCharsets.UTF_8));
    }

    @Override
    public JsonBuffer other(int number) {
      JsonBuffer out = new JsonBuffer();
      open.put(number, out);
      return out;
    }

    @Override
    public void unusable(int number, String reason) {
      present.put(number, "unusable: " + reason);
    }

    @Override
    public JsonBuffer member(byte[] name, int offset, int length) {
      JsonBuffer out = new JsonBuffer();
      members.put(new String(name, offset, length, StandardCharsets.UTF_8), out);
      return out;
    }

    @Override
    public void begin(int index) {
      present = new LinkedHashMap<>();
      open.clear();
      members.clear();
    }

    @Override
    public void end(int index, int start, int end, @Nullable String fault) {
      open.forEach((number, out) -> present.put(number, out.toString()));
      records.add(present);
      Map<String, String> rest = new LinkedHashMap<>();
      members.forEach((name, out) -> rest.put(name, out.toString()));
      others.add(rest);
      present = shared;
    }

    @Override
    public void reject(int index, int start, int end, String reason) {
      rejects.add(reason);
    }
  }

  private static JsonPointers pointers(List<String> all) {
    JsonPointers pointers = new JsonPointers();
    for (int i = 0; i < all.size(); i++) {
      assertThat(JsonPointers.fault(all.get(i))).isNull();
      assertThat(pointers.add(all.get(i), i)).isNull();
    }
    return pointers;
  }

  private static Found read(List<String> ofRecord, String body) {
    Found found = new Found();
    JsonPointers ofBody = new JsonPointers();
    assertThat(ofBody.records("/records")).isNull();
    PointerReader reader = new PointerReader(ofBody, pointers(ofRecord), false, found);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    assertThat(reader.read(bytes, 0, bytes.length)).as(reader.errorReason() + body).isTrue();
    return found;
  }

  @Test
  void read_generatedRecords_sameAsJackson() {
    for (int seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<String> ofRecord = new ArrayList<>();
      for (int i = random.nextInt(1, 6); i > 0; i--) {
        String pointer = pointer(random);
        boolean isApart =
            ofRecord.stream()
                .noneMatch(
                    one ->
                        (one + "/").startsWith(pointer + "/")
                            || (pointer + "/").startsWith(one + "/"));
        if (isApart) {
          ofRecord.add(pointer);
        }
      }
      List<String> records = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        records.add(object(random, 0));
      }
      Found found =
          read(ofRecord, "{\"x\":[1,{}],\"records\" : [" + String.join(" , ", records) + "]}");
      assertThat(found.records).as("seed " + seed).hasSameSizeAs(records);
      for (int i = 0; i < records.size(); i++) {
        JsonNode tree = JsonMapper.shared().readTree(records.get(i));
        for (int p = 0; p < ofRecord.size(); p++) {
          JsonNode expected = tree.at(ofRecord.get(p));
          String value = found.records.get(i).get(p);
          if (expected.isMissingNode() || expected.isNull()) {
            assertThat(value).as("seed " + seed + ofRecord.get(p)).isNull();
          } else {
            assertThat(value).as("seed " + seed + ofRecord.get(p)).isNotNull();
            assertThat(JsonMapper.shared().readTree(value)).isEqualTo(expected);
          }
        }
      }
    }
  }

  private static String pointer(SplittableRandom random) {
    StringBuilder pointer = new StringBuilder();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      String name = NAMES[random.nextInt(NAMES.length)];
      boolean isIndex = random.nextInt(4) == 0 && !pointer.isEmpty();
      pointer
          .append('/')
          .append(
              isIndex
                  ? String.valueOf(random.nextInt(3))
                  : name.replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }

  private static String object(SplittableRandom random, int depth) {
    List<String> names = new ArrayList<>(Arrays.asList(NAMES));
    List<String> members = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      String name = names.remove(random.nextInt(names.size()));
      String written = random.nextInt(5) == 0 ? name.replace("a", "\\u0061") : name;
      members.add(
          " ".repeat(random.nextInt(2)) + '"' + written + "\" : " + value(random, depth + 1));
    }
    return "{" + String.join(",", members) + "}";
  }

  private static String value(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth > 3 ? 6 : 9)) {
      case 0 -> "null";
      case 1 -> "true";
      case 2 -> String.valueOf(random.nextInt(1_000));
      case 3 -> "-1.25";
      case 4 -> "\"t" + random.nextInt(9) + "\"";
      case 5 -> "\"\\u00fc\\n\"";
      case 6 -> "[" + value(random, depth + 1) + ", " + value(random, depth + 1) + "]";
      default -> object(random, depth);
    };
  }

  @Test
  void read_membersThatNoPointerNames_areAllThere() {
    Found found =
        read(
            List.of("/a/b", "/c/1"),
            "{\"records\":[{\"a\":{\"b\":1,\"x\":2},\"c\":[3,4,{\"y\":5}],\"d\":null,\"e\":[6]}]}");
    assertThat(found.records).containsExactly(Map.of(0, "1", 1, "4"));
    assertThat(found.others)
        .containsExactly(Map.of("a.x", "2", "c.0", "3", "c.2", "{\"y\":5}", "e", "[6]"));
  }

  @Test
  void read_anyBytes_endsWithoutAnException() {
    String sound =
        "{\"who\":\"r\",\"records\":[{\"a\":{\"b\":1},\"lat\":[1,2]},{\"a\":3}],\"z\":\"\\u00e4\"}";
    for (int seed = 0; seed < 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = sound.getBytes(StandardCharsets.UTF_8);
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      int length = random.nextInt(3) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
      Found found = new Found();
      JsonPointers ofBody = pointers(List.of("/who"));
      assertThat(ofBody.records("/records")).isNull();
      boolean areLines = random.nextBoolean();
      PointerReader reader =
          new PointerReader(ofBody, pointers(List.of("/a/b", "/lat/1")), areLines, found);
      boolean isRead = reader.read(bytes, 0, length);
      assertThat(isRead || !reader.errorReason().isEmpty()).isTrue();
    }
  }

  @Test
  void read_tooManyRecords_theRestIsOneReject() {
    String body = "{\"records\":[" + "{},".repeat(PointerReader.RECORDS_MAX + 5) + "{}]}";
    Found found = read(List.of("/a"), body);
    assertThat(found.records).hasSize(PointerReader.RECORDS_MAX);
    assertThat(found.rejects).containsExactly("too large");
  }
}
