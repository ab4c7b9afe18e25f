package gilmok.retention;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Counts calls, and fails all from a given one on: whoever is dead cleans nothing up. */
public final class Killing {
  private final int at;
  private int calls;

  /** The process is gone. */
  public static final class Killed extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Kills at the call of that number. */
  public Killing(int at) {
    this.at = at;
  }

  /** A call is made. */
  public void called() throws Killed {
    if (++calls >= at) {
      throw new Killed();
    }
  }

  /** How many calls were made. */
  public int calls() {
    return calls;
  }

  /**
   * Something whose calls count, and those of the plans that it gives.
   *
   * @param after whether the call that kills still takes effect
   */
  public <T> T of(Class<T> type, T real, boolean after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              try {
                boolean asks = method.getExceptionTypes().length > 0;
                if (asks && !after) {
                  called();
                }
                Object result = method.invoke(real, arguments);
                if (result instanceof RemovalPlans plans) {
                  return of(RemovalPlans.class, plans, after);
                }
                if (asks && after) {
                  called();
                }
                return result;
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            }));
  }
}
