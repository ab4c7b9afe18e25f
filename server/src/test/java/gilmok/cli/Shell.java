package gilmok.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs commands in this process as a user types them, and returns what they print. */
public final class Shell {
  /** A command's exit code and what it printed on standard output and standard error. */
  public record Result(int code, String out, String err) {}

  private Shell() {}

  public static Result run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Commands.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Result(code, out.toString(), err.toString());
  }
}
