package gilmok.positions;

/**
 * Riders whose latest position is shown to nobody, by their ids in UTF-8. Not thread-safe: each
 * thread has its own.
 */
public interface HiddenRiders {
  /** Nobody is hidden. */
  HiddenRiders NONE =
      new HiddenRiders() {
        @Override
        public boolean isAny() {
          return false;
        }

        @Override
        public boolean hides(byte[] utf8, int offset, int length) {
          return false;
        }

        @Override
        public long version() {
          return 0;
        }
      };

  /** Whether anybody may be hidden; if not, nothing else needs to be asked. */
  boolean isAny();

  /** Whether the rider of that id is hidden. */
  boolean hides(byte[] utf8, int offset, int length);

  /** Another number after each change. */
  long version();
}
