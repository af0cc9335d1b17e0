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
/** As many values of a list weigh as much as one comparison. */
export const valuesPerWeight = 50;
