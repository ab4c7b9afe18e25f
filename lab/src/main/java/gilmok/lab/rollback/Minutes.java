package gilmok.lab.rollback;

import gilmok.lab.LabClient;
import gilmok.lab.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a server was asked and what it answered, so that another version can be asked the same over
 * the same data folder. Not thread-safe.
 */
final class Minutes {
  private static final Duration WAIT = Duration.ofSeconds(20);

  /** Members that a server keeps in memory, that say when it was asked, or are for people. */
  private static final Set<String> PASSING =
      Set.of("sum", "heardAt", "dialect", "ended", "waiting", "telling", "breaker", "detail");

  private final List<Question> questions = new ArrayList<>();

  /** A question with its answer; a body that is not JSON is a missing node. */
  private record Question(String key, String path, int status, JsonNode body) {}

  /** Asks, and keeps the answer. */
  void ask(String url, String key, String path) throws IOException, InterruptedException {
    questions.add(asked(url, key, path));
  }

  /** Asks, and keeps the answer without one of its members, which may still change. */
  void askBut(String url, String key, String path, String member)
      throws IOException, InterruptedException {
    Question asked = asked(url, key, path);
    if (asked.body instanceof ObjectNode body) {
      body.remove(member);
    }
    questions.add(asked);
  }

  /** Forgets the questions about a path and what is below it: what they are about changes now. */
  void forget(String path) {
    questions.removeIf(question -> question.path.startsWith(path));
  }

  int size() {
    return questions.size();
  }

  /**
   * Asks everything again.
   *
   * @return each difference: what was answered before must be there, and the same; more may be
   */
  List<String> differences(String url) throws IOException, InterruptedException {
    List<String> differences = new ArrayList<>();
    for (Question before : questions) {
      Question now = asked(url, before.key, before.path);
      if (now.status != before.status) {
        differences.add(before.path + ": was " + before.status + ", is " + now.status);
      } else {
        compare(before.path, before.body, now.body, differences);
      }
    }
    return differences;
  }

  /** As a file beside the data folder, for the tests. */
  ArrayNode json() {
    ArrayNode all = JsonMapper.shared().createArrayNode();
    for (Question question : questions) {
      ObjectNode one = all.addObject().put("key", question.key).put("path", question.path);
      one.put("status", question.status);
      if (!question.body.isMissingNode()) {
        one.set("body", question.body);
      }
    }
    return all;
  }

  private static Question asked(String url, String key, String path)
      throws IOException, InterruptedException {
    try (LabClient client = new LabClient(url, key, WAIT)) {
      Reply reply = client.get(path);
      return new Question(key, path, reply.status(), reply.json());
    }
  }

  /** Adds what the first has and the second has not, or not alike. */
  static void compare(String where, JsonNode before, JsonNode now, List<String> found) {
    if (before.isObject() && now.isObject()) {
      for (var member : before.properties()) {
        if (!PASSING.contains(member.getKey())) {
          String name = where + " " + member.getKey();
          compare(name, member.getValue(), now.path(member.getKey()), found);
        }
      }
    } else if (before.isArray() && now.isArray() && before.size() == now.size()) {
      for (int i = 0; i < before.size(); i++) {
        compare(where + "[" + i + "]", before.path(i), now.path(i), found);
      }
    } else if (!before.equals(now)) {
      found.add(where + ": was " + shown(before) + ", is " + shown(now));
    }
  }

  private static String shown(JsonNode node) {
    String text = node.toString();
    return text.length() > 200 ? text.substring(0, 200) : text;
  }
}
