/**
 * Failed and lost connections, shutdown, exhausted pools, and statements that waited too long: nothing was done, and a
 * repeat may succeed.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(08|53|57P|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code) ||
    waitedTooLong.includes(code) ||
    // The driver's own errors have no code.
    /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed)/.test(
      error.message,
    )
  );
}

/** Lock timeout, statement timeout, idle in transaction, serialization failure, deadlock. */
const waitedTooLong = ['55P03', '57014', '25P03', '40001', '40P01'];
