/** Maximum length of a filter rule as JSON text, in characters. */
export const maxRuleLength = 500_000;
/** Maximum length of a text that a filter rule compares with. */
export const maxRuleText = 1_000;
/** Maximum length of a list that a filter rule compares with. */
export const maxRuleListLength = 10_000;

/** Maximum weight of a whole rule: each condition is evaluated for each contact. */
export const maxRuleWeight = 500;
/** Weight of a group and of a comparison. */
export const conditionWeight = 1;
/** Weight of a text search such as `_contains`. */
export const textConditionWeight = 5;
/** Maximum number of conditions if all are plain, or all are searches; each is in its own group. */
export const maxPlainConditions = Math.floor(maxRuleWeight / (2 * conditionWeight));
export const maxTextConditions = Math.floor(maxRuleWeight / (conditionWeight + textConditionWeight));
/** Number of list values that weigh as much as one comparison. */
export const valuesPerWeight = 50;
