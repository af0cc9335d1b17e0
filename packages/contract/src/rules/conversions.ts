/** Days after a click within which a conversion is attributed to its message. */
export const defaultWindowDays = 7;
export const maxWindowDays = 90;
/** In the currency of the organization. */
export const maxGoalValue = 1_000_000_000;
/** Goals of a website. */
export const maxGoals = 20;
/** Characters of the name of an event, which a goal is compared with. */
export const maxEventNameLength = 255;
