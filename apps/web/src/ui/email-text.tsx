import classes from './email-text.module.css';

/** An email address in a table: wraps only before the @, and truncates parts that are too long. */
export function EmailText({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  return (
    <span title={address}>
      <span className={classes.part}>{address.slice(0, Math.max(at, 0))}</span>
      <wbr />
      <span className={classes.part}>{address.slice(Math.max(at, 0))}</span>
    </span>
  );
}
