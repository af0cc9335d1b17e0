/**
 * Failed and lost connections, shutdown, exhausted pools, and statements that waited too long: nothing was done, and a
 * repeat may succeed.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export const isDatabaseAway = (error: unknown): boolean =>
  isUnreachable(error) || (error instanceof Error && waitedTooLong.includes(codeOf(error)));

/** Of these, a statement that took too long: what takes long by itself does so at each repeat. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '57014';

/** Of these, the failed and lost connections: to the database, or to another server. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (/^(08|53|57P|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(codeOf(error)) ||
    // The driver's own errors have no code.
    /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed)/.test(
      error.message,
    ));

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Lock timeout, statement timeout, idle in transaction, serialization failure, deadlock. */
const waitedTooLong = ['55P03', '57014', '25P03', '40001', '40P01'];
