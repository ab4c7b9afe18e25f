package gilmok.warmup.shadow;

import gilmok.warmup.WarmUpScript;
import gilmok.warmup.Warmable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is asked of a server while it warms up: what its parts say, and behind that, from the text
 * beside this class, what operators, pages and phones' setup ask. That is seldom asked, but it is
 * somebody's first request all the same.
 */
public final class WarmUpScripts implements Warmable {
  private WarmUpScripts() {}

  /** All that a server of these parts can be asked. */
  public static List<WarmUpScript> of(List<Warmable> warmables, Set<String> parts) {
    List<Warmable> all = new ArrayList<>(warmables);
    all.add(new WarmUpScripts());
    return all.stream().map(warmable -> warmable.script().where(parts)).toList();
  }

  @Override
  public String name() {
    return "operate";
  }
}
