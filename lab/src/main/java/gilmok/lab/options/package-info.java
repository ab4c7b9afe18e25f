/** Options that several commands have, each as a mixin. */
@NullMarked
package gilmok.lab.options;

import org.jspecify.annotations.NullMarked;
