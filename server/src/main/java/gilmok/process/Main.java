package gilmok.process;

import gilmok.accept.AcceptCommand;
import gilmok.cli.Commands;
import gilmok.doctor.DoctorCommand;
import gilmok.runtime.Signals;
import java.lang.System.Logger.Level;

/** The main class of the program. */
public final class Main {
  private static final int FAILED = 1;

  private Main() {}

  public static void main(String[] arguments) {
    Signals signals = new Signals();
    if (arguments.length > 0 && arguments[0].equals(ServeCommand.NAME)) {
      signals.hear(); // first of all, because without a handler a SIGHUP ends the process
    }
    int code = FAILED;
    try {
      code = Commands.run(arguments, commands(signals));
    } catch (Throwable error) {
      // Threads that are not daemons would keep the process alive without doing anything.
      System.getLogger("gilmok").log(Level.ERROR, "a bug ended the program", error);
    }
    System.exit(code);
  }

  /** The commands that are not the command line's own. */
  public static Object[] commands(Signals signals) {
    return new Object[] {
      new ServeCommand(signals),
      new CheckConfigCommand(),
      new ShipCommand(),
      new DoctorCommand(),
      new AcceptCommand(),
      new IndexesCommand(),
      new CompactCommand()
    };
  }
}
