package gilmok.statements;

import gilmok.http.Answer;
import gilmok.http.Refusal;

/** The refusals of what is of a time whose entries were removed. Stateless. */
final class TooOld {
  /** Why such an entry is not stored, and such a statement not answered. */
  static final String REASON = "entries of that time are no longer kept";

  /** The refusal of a statement that begins too early. */
  static final Answer STATEMENT = Answer.refused(Refusal.GONE, "from", REASON);

  private TooOld() {}

  /** The refusal of a body with such an entry. */
  static Answer entry(String field) {
    return Answer.refused(Refusal.GONE, field, REASON);
  }
}
