package gilmok.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs commands as a user does, and keeps what they print. */
public final class Shell {
  /** How a command went. */
  public record Result(int code, String out, String err) {}

  private Shell() {}

  public static Result run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Commands.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Result(code, out.toString(), err.toString());
  }
}
