package gilmok.collect.format;

/** Where in a request the value of a field is. */
public sealed interface ValueSource {
  /** What it is called in the declaration and in errors. */
  String label();

  /** In the record: a JSON pointer; for forms and CSV, a slash and the name. */
  record InRecord(String pointer) implements ValueSource {
    @Override
    public String label() {
      return pointer;
    }
  }

  /** Once for all records: a JSON pointer into the body. */
  record InBody(String pointer) implements ValueSource {
    @Override
    public String label() {
      return "body:" + pointer;
    }
  }

  /** A header of the request. */
  record Header(String name) implements ValueSource {
    @Override
    public String label() {
      return "header:" + name;
    }
  }

  /** A parameter of the URI. */
  record Query(String name) implements ValueSource {
    @Override
    public String label() {
      return "query:" + name;
    }
  }

  /** A segment of the path that is in braces there. */
  record Segment(String name) implements ValueSource {
    @Override
    public String label() {
      return "path:" + name;
    }
  }

  /** Always the same. */
  record Constant(String text) implements ValueSource {
    @Override
    public String label() {
      return "constant";
    }
  }

  /** The time of arrival. */
  record Arrival() implements ValueSource {
    @Override
    public String label() {
      return "arrival";
    }
  }
}
