package gilmok.collect.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FormatParserTest {
  @Test
  void parse_allFaults_areNamedTogether() {
    assertThat(
            Declared.problems(
                """
                path: /v1/mine
                metod: POST
                content: xml
                stream: fleet
                fields:
                  at: { from: /t, unit: minutes }
                  lat: { from: lat }
                  lon: { from: /lon, constant: 3 }
                  speed: { from: /v, unit: furlongs }
                  colour: /c
                answer: { status: 302, body: x, type: nonsense }
                """))
        .satisfiesExactlyInAnyOrder(
            one -> assertThat(one).startsWith("metod: there is no such entry"),
            one -> assertThat(one).isEqualTo("content: is \"xml\", none of json, lines, form, csv"),
            one -> assertThat(one).isEqualTo("stream: is \"fleet\", none of traces, actions, logs"),
            one -> assertThat(one).isEqualTo("path: begins with /v1, which is the server's own"),
            one -> assertThat(one).startsWith("fields.at.unit: is \"minutes\", none of ms, ns, s"),
            one -> assertThat(one).startsWith("fields.lat: is read from \"lat\", which must begin"),
            one -> assertThat(one).isEqualTo("fields.lon: needs either from or constant"),
            one -> assertThat(one).startsWith("fields.speed.unit: is \"furlongs\", none of km/h"),
            one -> assertThat(one).startsWith("fields.colour: is no field of this stream"),
            one -> assertThat(one).startsWith("answer.status: must be 200 to 299"),
            one -> assertThat(one).startsWith("answer.type: must be a media type"));
  }

  @Test
  void parse_neededFieldNotDeclared_isNamed() {
    assertThat(Declared.problems("path: /a\nstream: actions\nfields: { riderId: /r, at: /t }"))
        .containsExactly("fields.type: is missing, and each record of this stream needs it");
  }

  @Test
  void parse_pointersThatContradict_areNamed() {
    assertThat(
            Declared.problems(
                "path: /a\nfields: { riderId: /r, at: /p, lat: /p/lat, lon: /p/lon, id: /r }"))
        .contains("fields.lat: /p/lat leads on from a value that is read itself")
        .contains("fields.id: /r is read twice");
    assertThat(
            Declared.problems(
                """
                path: /a
                records: /data
                fields: { riderId: 'body:/data/who', at: /t, lat: /a, lon: /b }
                """))
        .containsExactly("records: is read as a value, or others lead on from it");
  }

  @Test
  void parse_pathVariableThatIsNone_isNamed() {
    assertThat(
            Declared.problems(
                "path: /a/{b}\nfields: { riderId: 'path:c', at: arrival, lat: /a, lon: /b }"))
        .containsExactly("fields.riderId: the path has no {c}");
  }

  @Test
  void parse_timePattern_isChecked() {
    assertThat(
            Declared.problems(
                """
                path: /a
                fields: { riderId: /r, at: { from: /t, pattern: 'HH:mm a' }, lat: /a, lon: /b }
                """))
        .containsExactly("fields.at.pattern: has the letter a; there are u y M d H m s S X x Z");
  }

  @Test
  void parse_least_hasTheUsual() {
    Format format = Declared.of("path: /a\nfields: { riderId: /r, at: arrival, lat: /a, lon: /b }");
    assertThat(format.method()).isEqualTo("POST");
    assertThat(format.shape().content()).isEqualTo(Format.Content.JSON);
    assertThat(format.answer()).isEqualTo(new Format.FormatAnswer(200, "", "", false));
    assertThat(format.others().kept()).isNull();
  }

  @Test
  void parse_whatNoAppCanMean_isNamed() {
    String fields = "fields: { riderId: /r, at: arrival, lat: /a, lon: /b }";
    assertThat(Declared.problems("path: /a\n" + fields.replace("/r", "'header:X-Api-Key'")))
        .containsExactly("fields.riderId: the header X-Api-Key has a key, which is not stored");
    assertThat(Declared.problems("path: /a\n" + fields.replace("/a", "{ from: /a, factor: .nan }")))
        .singleElement()
        .asString()
        .contains("fields.lat.factor");
    assertThat(Declared.problems("path: /a\n" + fields.replace("/b", "{ constant: abc }")))
        .containsExactly("fields.lon.constant: is \"abc\", which is not a number");
    assertThat(Declared.problems("path: /a\n" + fields + "\nanswer: { status: 204, body: x }"))
        .containsExactly("answer.body: an answer of 204 has none");
    assertThat(Declared.problems("path: /a\ncontent: csv\ncolumns: [r, r]\n" + fields))
        .containsExactly("columns: has a name twice");
    assertThat(Declared.problems("path: /a\n" + fields.replace("/b", "/b".repeat(3_000))))
        .containsExactly("fields.lon: is over 4096 characters long");
    assertThat(Declared.problems("path: /a\nthen: nothing\n" + fields))
        .containsExactly("then: is \"nothing\", which is not indicators");
  }
}
