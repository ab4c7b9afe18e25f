package gilmok.lab.missions;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Generated data: forty missions of some 2.5 kB with Korean and English texts, 100 kB in all, and
 * the riders' progress in thirty of them; always the same. The last three are open to ten riders
 * each, the others to everybody. No progress is due for settlement. Immutable.
 */
final class MadeUpMissions {
  static final int COUNT = 40;
  static final int PROGRESSES = 30;

  private static final int SEED = 8;
  private static final int FOR_SOME = 3;
  private static final int RIDERS_EACH = 10;
  private static final int RULES = 6;
  private static final int GOAL_MIN = 10;
  private static final List<String> AREAS = List.of("gangnam", "mapo", "songpa", "bundang");

  private final List<ObjectNode> missions;
  private final List<ObjectNode> shown;
  private final int riders;

  /** The riders generated so far. */
  private final ConcurrentHashMap<Integer, Rider> known = new ConcurrentHashMap<>();

  private record Rider(List<Integer> open, ObjectNode progress) {}

  /**
   * Data for a number of riders.
   *
   * @param riders how many riders there are
   */
  MadeUpMissions(int riders) {
    this.riders = riders;
    Words words = new Words();
    missions = IntStream.range(0, COUNT).mapToObj(number -> mission(words, number)).toList();
    shown = IntStream.range(0, COUNT).mapToObj(this::show).toList();
  }

  private ObjectNode show(int number) {
    ObjectNode all = JsonMapper.shared().createObjectNode().put("id", id(number));
    all.setAll(mission(number));
    all.remove("riders");
    return all;
  }

  /** The id of a mission. */
  static String id(int number) {
    return String.format(Locale.ROOT, "m%02d", number);
  }

  /** The id of a rider. */
  static String rider(int number) {
    return String.format(Locale.ROOT, "rider-%06d", number);
  }

  /** The number of a rider with an id; -1 if there is none. */
  static int number(String rider) {
    return rider.matches("rider-[0-9]{6}") ? Integer.parseInt(rider.substring(6)) : -1;
  }

  /** The number of riders. */
  int riders() {
    return riders;
  }

  /** A mission in the form of a PUT. */
  ObjectNode mission(int number) {
    return missions.get(number);
  }

  /** A mission as riders see it: with its id, without the riders it is for. */
  ObjectNode shown(int number) {
    return shown.get(number);
  }

  private ObjectNode mission(Words words, int number) {
    Random random = new Random(SEED + 1_000L * number);
    ObjectNode mission = JsonMapper.shared().createObjectNode();
    mission.put("title", words.korean(random, 4)).put("titleEn", words.english(random, 5));
    mission.put("from", String.format(Locale.ROOT, "2025-%02d-01T00:00:00Z", 1 + number % 9));
    mission.put("to", String.format(Locale.ROOT, "2096-%02d-28T15:00:00Z", 1 + number % 12));
    mission.put("goal", GOAL_MIN + random.nextInt(50)).put("reward", 500 * random.nextInt(1, 60));
    mission.put("currency", "KRW").put("urgent", number % 10 == 0);
    mission.put("image", String.format(Locale.ROOT, "/i/%016x.webp", random.nextLong()));
    mission.put("text", words.korean(random, 64)).put("textEn", words.english(random, 64));
    ArrayNode rules = mission.putArray("rules");
    for (int i = 0; i < RULES; i++) {
      ObjectNode rule = rules.addObject();
      rule.put("id", String.format(Locale.ROOT, "%016x", random.nextLong()));
      rule.put("lat", degrees(random, 37)).put("lon", degrees(random, 127));
      rule.put("kind", "completed").put("area", AREAS.get(random.nextInt(AREAS.size())));
      rule.put("fromHour", random.nextInt(24)).put("hours", random.nextInt(1, 8));
      rule.put("note", words.korean(random, 7));
    }
    if (isForSome(number)) {
      ArrayNode some = mission.putArray("riders");
      IntStream.range(0, riders)
          .filter(rider -> isOpen(number, rider))
          .forEach(rider -> some.add(rider(rider)));
    }
    return mission;
  }

  private static double degrees(Random random, int whole) {
    return whole + random.nextInt(1_000_000) / 1e6;
  }

  private static boolean isForSome(int number) {
    return number >= COUNT - FOR_SOME;
  }

  /** Whether a mission is open to a rider. */
  boolean isOpen(int number, int rider) {
    int step = Math.max(1, riders / RIDERS_EACH);
    return !isForSome(number) || (rider % step == number % step && rider / step < RIDERS_EACH);
  }

  /** The missions open to a rider, in their order. */
  List<Integer> open(int rider) {
    return known(rider).open;
  }

  /** A rider's progress by mission; must not be changed. */
  ObjectNode progress(int rider) {
    return known(rider).progress;
  }

  private Rider known(int rider) {
    return known.computeIfAbsent(rider, this::make);
  }

  private Rider make(int rider) {
    ObjectNode all = JsonMapper.shared().createObjectNode();
    progressed().forEach(number -> all.set(id(number), progress(rider, number)));
    return new Rider(
        IntStream.range(0, COUNT).filter(number -> isOpen(number, rider)).boxed().toList(), all);
  }

  /** The missions in which every rider has some progress. */
  static List<Integer> progressed() {
    return IntStream.range(0, PROGRESSES).boxed().toList();
  }

  /** A rider's progress in a mission, in the form of a PUT. */
  ObjectNode progress(int rider, int number) {
    int goal = mission(number).path("goal").asInt();
    int count = new Random(31L * rider + number).nextInt(goal);
    return JsonMapper.shared().createObjectNode().put("count", count);
  }
}
