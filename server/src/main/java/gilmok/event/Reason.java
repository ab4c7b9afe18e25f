package gilmok.event;

/** Reasons of refusals, in a few English words: constants, so that a refusal allocates nothing. */
public final class Reason {
  public static final String MISSING = "missing";
  public static final String GIVEN_TWICE = "given twice";
  public static final String NOT_A_NUMBER = "not a number";
  public static final String NOT_A_STRING = "not a string";
  public static final String NOT_A_TIME = "not a time";
  public static final String NOT_AN_OBJECT = "not an object";
  public static final String NOT_AN_ARRAY = "not an array";
  public static final String NOT_JSON = "not JSON";
  public static final String NESTED_TOO_DEEP = "nested too deep";
  public static final String OUT_OF_RANGE = "out of range";
  public static final String EMPTY = "empty";
  public static final String TOO_LONG = "too long";
  public static final String TOO_LARGE = "too large";
  public static final String TOO_MANY_MEMBERS = "too many members";
  public static final String CONTROL_CHARACTER = "control character";
  public static final String INVALID_UTF8 = "invalid UTF-8";
  public static final String LONE_SURROGATE = "lone surrogate";

  /** Why an action does not move a delivery: whoever holds a shared key could send it. */
  public static final String KEY_OF_ANYBODY =
      "moves a delivery: needs a key that is bound to the rider, or one with operate";

  private Reason() {}
}
