package gilmok.phones;

import io.nayuki.qrcodegen.QrCode;
import io.nayuki.qrcodegen.QrSegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A QR code to be drawn. It has the highest error correction that does not make it larger; little
 * is needed, as it is read from a screen. Immutable.
 */
public final class Qr {
  /** Width of the light margin around the code, in modules, as the standard requires. */
  static final int MARGIN = 4;

  /** White before black, whatever colours the terminal uses. */
  private static final String COLOURS = "\u001b[38;5;231;48;5;16m";

  private static final String RESET = "\u001b[0m";

  private final QrCode code;

  /**
   * The code of a text.
   *
   * @throws IllegalArgumentException when the text is longer than a code can hold (2,953 bytes); a
   *     {@link Guide} of a {@link PhoneSetup} without a fault is always short enough
   */
  public Qr(String text) {
    code =
        QrCode.encodeSegments(
            QrSegment.makeSegments(text), QrCode.Ecc.LOW, 1, QrCode.MAX_VERSION, -1, true);
  }

  /** The number of modules a side, without the margin. */
  int size() {
    return code.size;
  }

  /** Whether a module is dark; false outside the code. */
  boolean isDark(int x, int y) {
    return code.getModule(x, y);
  }

  /** The width of {@link #lines}, in characters. */
  public int columns() {
    return size() + 2 * MARGIN;
  }

  /**
   * An SVG element without styles or scripts, scalable, dark on white in any theme. Its paths state
   * that they have no outline, because a page that gives an outline to its icons would close the
   * gaps.
   */
  public String svg() {
    int side = columns();
    StringBuilder svg = new StringBuilder(size() * size());
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    svg.append(side).append(' ').append(side);
    svg.append("\" shape-rendering=\"crispEdges\">");
    svg.append("<path stroke=\"none\" fill=\"#fff\" d=\"M0 0h");
    svg.append(side)
        .append('v')
        .append(side)
        .append("H0z\"/><path stroke=\"none\" fill=\"#000\" d=\"");
    for (int y = 0; y < size(); y++) {
      for (int x = 0; x < size(); x++) {
        int start = x;
        while (isDark(x, y)) {
          x++;
        }
        if (x > start) {
          svg.append('M').append(start + MARGIN).append(' ').append(y + MARGIN);
          svg.append('h').append(x - start).append("v1h-").append(x - start).append('z');
        }
      }
    }
    return svg.append("\"/></svg>").toString();
  }

  /**
   * The code as lines of half blocks, two rows of modules each. They set their own colours; without
   * colours the code is right on a dark background.
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int y = -MARGIN; y < size() + MARGIN; y += 2) {
      StringBuilder line = new StringBuilder(COLOURS);
      for (int x = -MARGIN; x < size() + MARGIN; x++) {
        boolean upper = !isDark(x, y);
        // The number of rows is odd, so the lower half of the last line is empty.
        boolean lower = y + 1 < size() + MARGIN && !isDark(x, y + 1);
        line.append(upper ? (lower ? '█' : '▀') : lower ? '▄' : ' ');
      }
      lines.add(line.append(RESET).toString());
    }
    return lines;
  }
}
