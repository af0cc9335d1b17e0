/** Of a filter rule, as JSON text. */
export const maxRuleLength = 500_000;
/** Of one text that a filter rule compares with. */
export const maxRuleText = 1_000;
/** Of one list that a filter rule compares with. */
export const maxRuleListLength = 10_000;

/** What a whole rule may weigh: each condition is computed for each contact. */
export const maxRuleWeight = 500;
/** A group, and a comparison. */
export const conditionWeight = 1;
/** A search within a text: `_contains` and its like. */
export const textConditionWeight = 5;
/** How many conditions a rule can have when all are plain, or all are searches: each is in a group of its own. */
export const maxPlainConditions = Math.floor(maxRuleWeight / (2 * conditionWeight));
export const maxTextConditions = Math.floor(maxRuleWeight / (conditionWeight + textConditionWeight));
/** As many values of a list weigh as much as one comparison. */
export const valuesPerWeight = 50;
