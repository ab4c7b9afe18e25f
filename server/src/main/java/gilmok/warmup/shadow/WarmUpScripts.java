package gilmok.warmup.shadow;

import gilmok.warmup.WarmUpScript;
import gilmok.warmup.Warmable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The scripts of a warm-up: those of the server's parts, then a text beside this class with the
 * requests of operators, pages and phones' setup. Those requests are rare, but each is at some time
 * a user's first.
 */
public final class WarmUpScripts implements Warmable {
  private WarmUpScripts() {}

  /** All scripts for a server with these parts. */
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
