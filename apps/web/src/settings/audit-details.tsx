import type { AuditEntry } from '@reachout/contract/members.ts';
import { useTranslation } from 'react-i18next';
import { ValueList } from '../ui/value-list.tsx';
import { useAuditActionText } from './audit-action.ts';
import classes from './audit-details.module.css';

/** What happened, and on request all that is known of it. */
export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('settings');
  const say = useAuditActionText();
  const values = [
    { name: t('audit.action'), value: entry.action },
    { name: t('audit.recordId'), value: entry.record_id },
    { name: t('audit.userAgent'), value: entry.user_agent },
    ...Object.entries(entry.details).map(([name, value]) => ({ name, value: plain(value) })),
  ].filter((pair): pair is { name: string; value: string } => Boolean(pair.value));
  return (
    <details className={classes.details}>
      <summary>{say(entry.action)}</summary>
      <ValueList values={values} />
    </details>
  );
}

/** Details are small plain JSON: words as they are, lists side by side. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ');
  return JSON.stringify(value);
}
