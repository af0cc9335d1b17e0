import { IconListCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { useSetup } from './setup.ts';

interface Props {
  classNames: { entry?: string | undefined; word?: string | undefined; tip?: string | undefined };
  onGo?: (() => void) | undefined;
}

/** Navigation entry for the remaining tasks once the first email was sent; links to the checklist on the dashboard. */
export function SetupEntry({ classNames, onGo }: Props) {
  const { t } = useTranslation('shell');
  const { orgId } = useOrganization();
  const { setup } = useSetup();
  if (setup === undefined || setup.hidden || !setup.hasSent) return null;
  const done = setup.tasks.filter((task) => task.done).length;
  const label = t('setup', { done, total: setup.tasks.length });
  return (
    <li>
      <Tooltip label={label} position="right" classNames={{ tooltip: classNames.tip ?? '' }}>
        <Link
          to="/o/$orgId"
          params={{ orgId }}
          search={{ setup: true }}
          className={classNames.entry}
          activeOptions={{ exact: true }}
          onClick={onGo}
        >
          <IconListCheck size={18} aria-hidden />
          <span className={classNames.word}>{label}</span>
        </Link>
      </Tooltip>
    </li>
  );
}
