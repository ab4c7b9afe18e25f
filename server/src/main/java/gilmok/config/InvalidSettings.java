package gilmok.config;

import java.util.List;

/** Settings that cannot be used. Holds every problem, one line each. */
public final class InvalidSettings extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /** Makes an exception with these problems, one line each. */
  public InvalidSettings(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** Every problem, one line each. */
  public List<String> problems() {
    return problems;
  }
}
