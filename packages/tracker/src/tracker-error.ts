export type TrackerErrorName =
  | 'CollectionMissing'
  | 'UserMissing'
  | 'EventMissing'
  | 'MissingToken'
  | 'MissingUrl'
  | 'MissingWebsiteId';

/** A call or an option that lacks what its name says. */
export class TrackerError extends Error {
  override name: TrackerErrorName;

  constructor(name: TrackerErrorName) {
    super(name);
    this.name = name;
  }
}

/** @throws TrackerError of that name without a value */
export function demand(value: unknown, name: TrackerErrorName): void {
  if (value === undefined || value === null || value === '') throw new TrackerError(name);
}
