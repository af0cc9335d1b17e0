import classes from './email-text.module.css';

/** An email address within a table: breaks before the @ only, and a part that is too long is cut. */
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
