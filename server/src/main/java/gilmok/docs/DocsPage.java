package gilmok.docs;

import gilmok.auth.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The frame of a page: one file that loads nothing, light or dark like the reader's system. The one
 * script there is filters the operations of the API's page, which is whole without it.
 */
final class DocsPage {
  static final String TYPE = "text/html; charset=utf-8";

  private static final String STYLE =
      """
      :root{color-scheme:light dark;--line:#d5d9df;--soft:#f3f5f8;--faint:#5b6470;--link:#0a5bb8}
      @media(prefers-color-scheme:dark){:root{--line:#3a414b;--soft:#1d2127;--faint:#9aa5b3;--link:#7db8ff}}
      *{box-sizing:border-box}
      body{margin:0 auto;max-width:60rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
      a{color:var(--link)}
      h1,h2,h3{line-height:1.25}
      h2{margin-top:2.5rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
      h3{margin-top:2rem}
      h4{margin:1rem 0 .25rem;font-size:.9rem;color:var(--faint)}
      code,pre{font:.9em/1.45 ui-monospace,monospace}
      code{background:var(--soft);padding:.05em .3em;border-radius:.2em}
      pre{background:var(--soft);padding:.75rem;border-radius:.4em;overflow-x:auto}
      .method{display:inline-block;min-width:4.2em;text-indent:0;color:var(--link)}
      .faint{color:var(--faint)}
      .wide{overflow-x:auto}
      table{border-collapse:collapse;width:100%}
      th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
      th{font-size:.85rem;color:var(--faint)}
      td:first-child{white-space:nowrap}
      tr:target,section:target>h3{background:var(--soft)}
      nav ul{margin:.25rem 0;padding:0;list-style:none}
      nav li{padding:.1rem 0 .1rem 4.5em;text-indent:-4.5em}
      nav h2{margin:1.5rem 0 .25rem;font-size:1.1rem}
      nav input{font:inherit;width:min(24rem,100%);padding:.35rem .6rem;color:inherit;background:var(--soft)}
      nav input{border:1px solid var(--line);border-radius:.4em}
      .count{color:var(--faint);font-size:.85rem;font-weight:400}
      [hidden]{display:none!important}
      summary{cursor:pointer;color:var(--faint)}
      """;

  /** Shows only those operations whose line in the navigation has all the words. */
  private static final String FILTER =
      """
      const field = document.getElementById("filter");
      const groups = [...document.querySelectorAll("nav .group")];
      function filter() {
        const words = field.value.toLowerCase().split(/\\s+/);
        let all = 0;
        for (const group of groups) {
          let shown = 0;
          for (const item of group.querySelectorAll("li")) {
            const text = item.textContent.toLowerCase();
            const isMeant = words.every((word) => text.includes(word));
            item.hidden = !isMeant;
            document.getElementById(item.querySelector("a").hash.slice(1)).hidden = !isMeant;
            shown += isMeant;
          }
          all += shown;
          group.hidden = shown === 0;
          document.getElementById(group.dataset.tag).hidden = shown === 0;
          group.querySelector(".count").textContent = shown;
        }
        document.getElementById("found").textContent = all;
      }
      field.addEventListener("input", filter);
      addEventListener("hashchange", () => {
        const target = document.getElementById(location.hash.slice(1));
        if (target?.closest("[hidden]")) {
          field.value = "";
          filter();
          target.scrollIntoView();
        }
      });
      document.getElementById("filtering").hidden = false;
      """;

  private static final String CLOSED =
      "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private DocsPage() {}

  /** The content security policy of a page: its own style only. */
  static String policy() {
    return "default-src 'none'; style-src " + hash(STYLE) + CLOSED;
  }

  /** The same for a page with the filter. */
  static String filterPolicy() {
    return "default-src 'none'; style-src " + hash(STYLE) + "; script-src " + hash(FILTER) + CLOSED;
  }

  private static String hash(String text) {
    return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(text)) + "'";
  }

  /** The whole page with the filter, encoded. */
  static byte[] filterBytes(String title, String body) {
    return bytes(title, body + "<script>" + FILTER + "</script>\n");
  }

  /** The whole page, encoded. */
  static byte[] bytes(String title, String body) {
    return ("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            + "<title>"
            + HtmlWriter.escaped(title)
            + "</title>\n<style>"
            + STYLE
            + "</style>\n</head>\n<body>\n"
            + body
            + "</body>\n</html>\n")
        .getBytes(StandardCharsets.UTF_8);
  }
}
