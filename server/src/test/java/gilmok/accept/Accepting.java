package gilmok.accept;

import gilmok.cli.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code gilmok accept} said, as its JSON has it.
 *
 * @param code the exit code
 * @param text all that was printed
 */
record Accepting(int code, String text) {
  /** Runs the command in this process. */
  static Accepting of(String... options) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    String[] arguments = new String[options.length + 1];
    arguments[0] = "accept";
    System.arraycopy(options, 0, arguments, 1, options.length);
    int code = Commands.run(out, out, arguments, new AcceptCommand());
    return new Accepting(code, said.toString());
  }

  /** A check of the only engine: the verdict, and what was found. */
  String check(String what) {
    for (JsonNode check : engine().path("checks")) {
      if (check.path("what").asString().equals(what)) {
        return check.path("verdict").asString() + ": " + check.path("found").asString();
      }
    }
    return "no " + what + " in " + text;
  }

  /** The only engine. */
  JsonNode engine() {
    return JsonMapper.shared().readTree(text).path("engines").path(0);
  }

  /** How often an operation was timed; 0 where it was not. */
  int times(String operation) {
    for (JsonNode figure : engine().path("figures")) {
      if (figure.path("operation").asString().equals(operation)) {
        return figure.path("times").asInt();
      }
    }
    return 0;
  }
}
