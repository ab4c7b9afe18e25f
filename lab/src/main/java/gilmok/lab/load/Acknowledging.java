package gilmok.lab.load;

/** A workload that counts the records that the server has acknowledged as new. */
public interface Acknowledging {
  /** The kind of error of an answer that takes a new record for a repeat. */
  String DUPLICATE = "duplicates";

  /** How many there are so far; to be read after the end of the run. */
  long acknowledged();
}
