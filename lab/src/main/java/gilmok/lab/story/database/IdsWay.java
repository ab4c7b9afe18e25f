package gilmok.lab.story.database;

import java.util.List;
import java.util.Random;

/** Which documents are asked for, of numbered ones that lie in the order of their numbers. */
enum IdsWay {
  /** Numbers that are far from each other, in a list. */
  SCATTERED("scattered ids, by a list"),
  /** The same; of each document only what an index holds. */
  FIELDS("the same, fields of an index only"),
  /** Numbers next to each other, in a list, as a rider's documents lie together here. */
  NEIGHBOURS("ids next to each other, by a list"),
  /** The same by the first and the last. */
  RANGE("the same, by one range");

  private final String label;

  IdsWay(String label) {
    this.label = label;
  }

  /** Its name in reports. */
  String label() {
    return label;
  }

  /**
   * Draws what is asked for.
   *
   * @param count how many, each another
   * @param of how many documents there are
   */
  List<Integer> numbers(int count, int of, Random random) {
    return switch (this) {
      case SCATTERED, FIELDS -> random.ints(0, of).distinct().limit(count).boxed().toList();
      case NEIGHBOURS, RANGE -> {
        int first = random.nextInt(of - count + 1);
        yield random.ints(first, first + count).distinct().limit(count).sorted().boxed().toList();
      }
    };
  }
}
