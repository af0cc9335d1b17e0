/** An invalid rule. `path` is the location in the rule, such as `_and.0.age._gt`; empty means the whole rule. */
export class InvalidRule extends Error {
  readonly path: string;
  readonly reason: string;
  /** The rule exceeds the weight limit: docs/audiences.md, "Limits". */
  readonly isTooHeavy: boolean;
  readonly isUnknownField: boolean;

  constructor(path: string, reason: string, { isTooHeavy = false, isUnknownField = false } = {}) {
    super(path === '' ? reason : `${path}: ${reason}`);
    this.path = path;
    this.reason = reason;
    this.isTooHeavy = isTooHeavy;
    this.isUnknownField = isUnknownField;
  }
}

export type RulePath = readonly (string | number)[];

export function fail(path: RulePath, reason: string): never {
  throw new InvalidRule(path.join('.'), reason);
}
