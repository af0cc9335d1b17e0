/**
 * Whether an error is a failed or lost connection, a shutdown, an exhausted pool, or a statement that waited too long.
 * A retry may succeed. Nothing was done, unless the connection was lost during the commit.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export const isDatabaseAway = (error: unknown): boolean =>
  isUnreachable(error) || (error instanceof Error && waitedTooLong.includes(codeOf(error)));

/** Whether a statement was given a value that no column can hold: a number, time or id out of range, or malformed text. */
export const isUnstorableValue = (error: unknown): boolean =>
  error instanceof Error && unstorable.includes(codeOf(error));

/** Whether a statement exceeded its timeout. A retry of an inherently slow statement times out again. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '57014';

/** Whether a connection to the database or another server failed or was lost. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (/^(08|53|57P|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(codeOf(error)) ||
    // The driver's own errors have no code.
    /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed)/.test(
      error.message,
    ));

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Text representation, number out of range, two of dates, two of characters. */
const unstorable = ['22P02', '22003', '22007', '22008', '22021', '22P05'];

/** Lock timeout, statement timeout, idle in transaction, serialization failure, deadlock. */
const waitedTooLong = ['55P03', '57014', '25P03', '40001', '40P01'];
