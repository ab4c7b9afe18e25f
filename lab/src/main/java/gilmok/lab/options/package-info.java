/** Options that several commands share, each as a mixin. */
@NullMarked
package gilmok.lab.options;

import org.jspecify.annotations.NullMarked;
