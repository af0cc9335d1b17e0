import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { notify } from '#web/ui/notify.tsx';

interface PauseAll {
  /** Menu items; undefined if the user cannot send. */
  items: ReactNode;
  error: unknown;
}

/** Pauses or resumes all sends of a campaign or an email, whatever they are doing. */
export function usePauseAll(
  kind: 'campaign' | 'touchpoint',
  { id, canPause, canResume }: { id: string; canPause: boolean; canResume: boolean },
): PauseAll {
  const { t } = useTranslation('lists');
  const { api, can } = useOrganization();
  const operations =
    kind === 'campaign'
      ? ([api.schedules.pauseCampaign, api.schedules.resumeCampaign] as const)
      : ([api.schedules.pauseTouchpoint, api.schedules.resumeTouchpoint] as const);
  const pause = useMutation(
    operations[0].mutationOptions({
      onSuccess: ({ paused }) =>
        notify(paused === 0 ? t('pauseAll.nothingToPause') : t('pauseAll.paused', { count: paused })),
    }),
  );
  const resume = useMutation(
    operations[1].mutationOptions({
      onSuccess: ({ resumed, held }) =>
        notify(
          [
            ...(resumed > 0 ? [t('pauseAll.resumed', { count: resumed })] : []),
            ...(held > 0 ? [t('pauseAll.held', { count: held })] : []),
          ].join(' ') || t('pauseAll.nothingToResume'),
        ),
    }),
  );
  const items = (
    <>
      {canPause && (
        <Menu.Item onClick={() => pause.mutate({ id })}>
          {t(kind === 'campaign' ? 'pauseAll.pauseCampaign' : 'pauseAll.pauseTouchpoint')}
        </Menu.Item>
      )}
      {canResume && (
        <Menu.Item onClick={() => resume.mutate({ id })}>
          {t(kind === 'campaign' ? 'pauseAll.resumeCampaign' : 'pauseAll.resumeTouchpoint')}
        </Menu.Item>
      )}
    </>
  );
  const isShown = can('send', 'Touchpoint') && (canPause || canResume);
  return { items: isShown ? items : undefined, error: pause.error ?? resume.error };
}
