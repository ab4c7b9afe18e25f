package gilmok.docs;

import java.util.regex.Pattern;

/** Writes HTML from top to bottom. Not thread-safe. */
final class HtmlWriter {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]+)]\\((/[\\w/.#-]*)\\)");

  private final StringBuilder out = new StringBuilder(1 << 16);

  /** Writes markup as it is. */
  HtmlWriter raw(String markup) {
    out.append(markup);
    return this;
  }

  /** Writes text, escaped. */
  HtmlWriter text(String text) {
    out.append(escaped(text));
    return this;
  }

  /** Writes an element with text in it, escaped. */
  HtmlWriter element(String name, String text) {
    return raw("<" + name + ">").text(text).raw("</" + name + ">");
  }

  /** Writes one line of text; `code` and [links](/docs) become elements. */
  HtmlWriter line(String text) {
    String marked = CODE.matcher(escaped(text)).replaceAll("<code>$1</code>");
    out.append(LINK.matcher(marked).replaceAll("<a href=\"$2\">$1</a>"));
    return this;
  }

  /** Writes paragraphs, which are separated by blank lines. */
  HtmlWriter prose(String text) {
    for (String paragraph : text.strip().split("\n\\s*\n", -1)) {
      if (!paragraph.isEmpty()) {
        raw("<p>").line(paragraph).raw("</p>\n");
      }
    }
    return this;
  }

  @Override
  public String toString() {
    return out.toString();
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
