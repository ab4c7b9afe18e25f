/** Makes Grafana's dashboards out of the short text that a person reviews. */
@NullMarked
package gilmok.lab.dashboards;

import org.jspecify.annotations.NullMarked;
