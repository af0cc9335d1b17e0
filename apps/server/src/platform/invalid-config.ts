/** Unusable settings; the message names each one and what would be valid. */
export class InvalidConfig extends Error {}

/** @param problems  the name of a setting with what would be valid, such as `PORT: must be a number` */
export const invalidSettings = (problems: readonly string[]): InvalidConfig =>
  new InvalidConfig(
    `These settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
