package gilmok.lab.missions;

import java.io.IOException;
import java.util.Locale;
import org.xerial.snappy.Snappy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ways to answer with a rider's missions, gzipped. They differ in what is kept outside the process,
 * and how a response is made of it. The ways that keep whole results send the kept bytes unchanged,
 * without making objects of them; those of the original story did make objects.
 */
enum AnswerWay {
  /** The baseline: encoded from objects in memory for each request. */
  EACH("serialised and gzipped at level 1 for each request, nothing kept elsewhere", 1),
  WHOLE_JSON("(a) whole results as JSON in Redis, gzip 6 for each answer", 6),
  WHOLE_SNAPPY("(b) whole results in Redis, snappy; unpacked, gzip 6 for each answer", 6),
  WHOLE_GZIP("(c) whole results in Redis, gzip 6; unpacked, gzip 6 for each answer", 6),
  WHOLE_GZIP_AS_IS("(c) the same, sent as it is kept", 6),
  VARIES_6("(d) only what varies in Redis, serialised and gzip 6 for each answer", 6),
  VARIES_1("(e) the same, gzip 1", 1);

  private final String text;
  private final int level;

  AnswerWay(String text, int level) {
    this.text = text;
    this.level = level;
  }

  /** Its description. */
  String text() {
    return text;
  }

  /** Its name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it uses Redis. */
  boolean keeps() {
    return this != EACH;
  }

  /** The value that is kept for a rider. */
  byte[] keep(MadeUpMissions made, int rider) throws IOException {
    return switch (this) {
      case EACH -> new byte[0];
      case WHOLE_JSON -> plain(made, rider, made.progress(rider));
      case WHOLE_SNAPPY -> Snappy.compress(plain(made, rider, made.progress(rider)));
      case WHOLE_GZIP, WHOLE_GZIP_AS_IS -> gzip(plain(made, rider, made.progress(rider)));
      case VARIES_6, VARIES_1 -> JsonMapper.shared().writeValueAsBytes(made.progress(rider));
    };
  }

  /** The gzipped response, made from the kept value. */
  byte[] answer(MadeUpMissions made, int rider, byte[] kept) throws IOException {
    return switch (this) {
      case EACH -> gzip(plain(made, rider, made.progress(rider)));
      case WHOLE_JSON -> gzip(kept);
      case WHOLE_SNAPPY -> gzip(Snappy.uncompress(kept));
      case WHOLE_GZIP -> gzip(Packing.gunzip(kept));
      case WHOLE_GZIP_AS_IS -> kept;
      case VARIES_6, VARIES_1 -> {
        JsonNode progress = JsonMapper.shared().readTree(kept);
        yield gzip(plain(made, rider, progress));
      }
    };
  }

  private byte[] gzip(byte[] plain) {
    return Packing.gzip(plain, level);
  }

  /** The response as JSON. */
  static byte[] plain(MadeUpMissions made, int rider, JsonNode progress) {
    ObjectNode all = JsonMapper.shared().createObjectNode();
    ArrayNode items = all.putArray("items");
    made.open(rider).forEach(number -> items.add(made.shown(number)));
    all.set("progress", progress);
    return JsonMapper.shared().writeValueAsBytes(all);
  }
}
