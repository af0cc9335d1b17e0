import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '../organizations/scope.ts';
import classes from './workspace-tabs.module.css';

const steps = ['design', 'audience', 'preview', 'schedule', 'statistics'] as const;
const others = ['sends', 'settings'] as const;

/** On a phone the current step may lie outside of the strip. */
const intoView = (tab: HTMLAnchorElement | null) =>
  tab?.scrollIntoView({ block: 'nearest', inline: 'center' });

const exactly = { exact: true, includeSearch: false };

/** Five numbered steps, guidance rather than a gate, and what belongs to the email beside them. */
export function WorkspaceTabs({ touchpointId }: { touchpointId: string }) {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const { pathname } = useLocation();
  const base = `/o/${orgId}/touchpoints/${touchpointId}`;
  return (
    <nav aria-label={t('steps.label')} className={classes.tabs} data-workspace-tabs>
      {[...steps, ...others].map((step, index) => (
        <Link
          key={step}
          ref={pathname.startsWith(`${base}/${step}`) ? intoView : null}
          to={`/o/$orgId/touchpoints/$touchpointId/${step}`}
          params={{ orgId, touchpointId }}
          className={classes.tab}
          activeOptions={exactly}
          aria-current={pathname.startsWith(`${base}/${step}`) ? 'page' : undefined}
        >
          {index < steps.length && (
            <span className={classes.number} aria-hidden>
              {index + 1}
            </span>
          )}
          {t(`steps.${step}`)}
        </Link>
      ))}
    </nav>
  );
}
