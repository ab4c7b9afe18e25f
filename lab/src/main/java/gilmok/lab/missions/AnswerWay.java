package gilmok.lab.missions;

import java.io.IOException;
import java.util.Locale;
import org.xerial.snappy.Snappy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ways to answer with a rider's missions, gzipped: what is kept of a rider outside the process, and
 * how an answer is made of it. Those that keep whole results answer with the kept bytes as they
 * are, without making objects of them between, which the story's did.
 */
enum AnswerWay {
  /** What answers are compared with: made from the objects in memory for each request. */
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

  /** In words. */
  String text() {
    return text;
  }

  /** As in a command. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it asks Redis. */
  boolean keeps() {
    return this != EACH;
  }

  /** What is kept of a rider. */
  byte[] keep(MadeUpMissions made, int rider) throws IOException {
    return switch (this) {
      case EACH -> new byte[0];
      case WHOLE_JSON -> plain(made, rider, made.progress(rider));
      case WHOLE_SNAPPY -> Snappy.compress(plain(made, rider, made.progress(rider)));
      case WHOLE_GZIP, WHOLE_GZIP_AS_IS -> gzip(plain(made, rider, made.progress(rider)));
      case VARIES_6, VARIES_1 -> JsonMapper.shared().writeValueAsBytes(made.progress(rider));
    };
  }

  /** The gzipped answer, made from what was kept. */
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

  /** The answer as JSON. */
  static byte[] plain(MadeUpMissions made, int rider, JsonNode progress) {
    ObjectNode all = JsonMapper.shared().createObjectNode();
    ArrayNode items = all.putArray("items");
    made.open(rider).forEach(number -> items.add(made.shown(number)));
    all.set("progress", progress);
    return JsonMapper.shared().writeValueAsBytes(all);
  }
}
