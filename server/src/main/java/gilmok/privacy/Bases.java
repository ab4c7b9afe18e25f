package gilmok.privacy;

import gilmok.config.Settings;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * On which legal basis locations are used, as the fleet says. Immutable.
 *
 * @param usual {@code privacy.basis}
 * @param others {@code privacy.USE-basis}, where those say something else
 */
public record Bases(String usual, Map<Use, String> others) {
  private static final int CHARS_MAX = 64;

  public Bases {
    others = Map.copyOf(others);
  }

  /** Reads them. */
  static Bases from(Settings settings) {
    String usual = read(settings, "privacy.basis", "contract");
    Map<Use, String> others = new EnumMap<>(Use.class);
    for (Use use : Use.values()) {
      others.put(use, read(settings, "privacy." + use.label() + "-basis", usual));
    }
    return new Bases(usual, others);
  }

  private static String read(Settings settings, String name, String unsaid) {
    String basis = settings.text(name, unsaid);
    if (basis.isBlank() || basis.length() > CHARS_MAX) {
      settings.problem(name + ": needs 1 to " + CHARS_MAX + " characters");
    }
    return basis;
  }

  private String of(Use use) {
    return Objects.requireNonNull(others.getOrDefault(use, usual));
  }

  /** The basis of several uses: one, or which each has. */
  String of(Collection<Use> uses) {
    List<String> bases = uses.stream().map(this::of).distinct().toList();
    return bases.isEmpty()
        ? usual
        : bases.size() == 1
            ? bases.getFirst()
            : Arrays.stream(Use.values())
                .filter(uses::contains)
                .map(use -> use.label() + ": " + of(use))
                .collect(Collectors.joining("; "));
  }
}
