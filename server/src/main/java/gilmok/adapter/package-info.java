/** How one feature answers what another asks by an interface of its own. */
@NullMarked
package gilmok.adapter;

import org.jspecify.annotations.NullMarked;
