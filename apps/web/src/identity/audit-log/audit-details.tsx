import type { AuditEntry } from '@reachout/contract/members.ts';
import { useTranslation } from 'react-i18next';
import { ValueList } from '#web/ui/value-list.tsx';
import { useAuditActionText, useAuditDetailText } from './audit-action.ts';
import classes from './audit-details.module.css';

/** What happened, and on request all that is known of it. */
export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('settings');
  const say = useAuditActionText();
  const detail = useAuditDetailText();
  const values = [
    { name: t('audit.action'), value: entry.action },
    { name: t('audit.recordId'), value: entry.record_id },
    { name: t('audit.userAgent'), value: entry.user_agent },
    ...Object.entries(entry.details).map(([name, value]) => detail(name, value)),
  ].filter((pair): pair is { name: string; value: string } => Boolean(pair.value));
  return (
    <details className={classes.details}>
      <summary>{say(entry.action)}</summary>
      <ValueList values={values} />
    </details>
  );
}
