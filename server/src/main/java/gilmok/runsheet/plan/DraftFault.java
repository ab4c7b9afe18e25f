package gilmok.runsheet.plan;

/**
 * Why a draft is none that can be planned.
 *
 * @param field where, as in the API: {@code matrix[3][1]}, {@code orders[2].pickup}
 * @param reason what is wrong there, for the caller
 */
public record DraftFault(String field, String reason) implements ReviewResult {}
