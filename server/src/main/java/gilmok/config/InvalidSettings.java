package gilmok.config;

import java.util.List;

/** Settings that cannot be used; carries every problem, one line each. */
public final class InvalidSettings extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /** These problems, one line each. */
  public InvalidSettings(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** One line for each thing that is wrong. */
  public List<String> problems() {
    return problems;
  }
}
