package gilmok.lab.rollback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

@Tag("unit")
final class MinutesTest {
  private static List<String> found(String before, String now) {
    List<String> found = new ArrayList<>();
    JsonMapper json = JsonMapper.shared();
    Minutes.compare("/v1/x", json.readTree(before), json.readTree(now), found);
    return found;
  }

  @Test
  void more_isNoDifference() {
    assertThat(found("{\"a\":[{\"b\":1}]}", "{\"a\":[{\"b\":1,\"c\":2}],\"d\":3}")).isEmpty();
    assertThat(found("{\"heardAt\":1,\"sum\":\"x\"}", "{\"sum\":\"y\"}")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"a\":[]}",
        "{\"a\":[{\"b\":2}]}",
        "{\"a\":[{\"b\":1},{\"b\":1}]}",
        "{\"a\":[{\"b\":\"1\"}]}",
        "{\"a\":[{}]}"
      })
  void less_orAnother_isOne(String now) {
    assertThat(found("{\"a\":[{\"b\":1}]}", now)).hasSize(1);
  }

  /** The words of the versions before the first release, and of this one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "gilmok: d/node has format 3; this program knows 1 to 2: use the version that wrote it",
        "gilmok: d/documents.db was written by a newer Gilmok (its version is 7, this one knows 6)",
        "gilmok: d/log/1.log: damaged at offset 0: format version 2, but this program reads 1",
        "gilmok: a cursor's note of version 2, of a newer program",
        "gilmok: devices of version 2; this build reads 1",
        "gilmok: d/devices has format 2, and this program knows up to 1: start the newer version"
      })
  void refusal_ofANewerFormat_isKnown(String line) {
    assertThat(FormatRefusal.in("gilmok ended with 1:\n" + line)).isEqualTo(line);
    assertThat(FormatRefusal.in("gilmok: d/devices is damaged: put a backup")).isNull();
  }
}
