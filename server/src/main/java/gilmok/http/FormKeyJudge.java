package gilmok.http;

import org.jspecify.annotations.Nullable;

/** Checks a key that was sent in a form. */
interface FormKeyJudge {
  /** Returns null when the key is good. */
  @Nullable Refusal judgeForm(RequestLifecycle life, Route route);
}
