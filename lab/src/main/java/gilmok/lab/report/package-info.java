/** What measurements are written down with: figures with their spread, charts, where they ran. */
@NullMarked
package gilmok.lab.report;

import org.jspecify.annotations.NullMarked;
