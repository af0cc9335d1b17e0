import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { notifyOf } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { websiteQuery } from './website-query.ts';

/** Starts, pauses or resumes a website. */
export function WebsiteAction() {
  const { t } = useTranslation('websites');
  const scope = useOrganization();
  const { websites } = scope.api;
  const { touchpoint } = useTouchpoint();
  const { id, status } = touchpoint;
  const { data } = useQuery(websiteQuery(scope, id));
  const start = useMutation(websites.start.mutationOptions(notifyOf(t('started'))));
  const pause = useMutation(websites.pause.mutationOptions(notifyOf(t('check.paused'))));
  const canPause = touchpointCan.pause(touchpoint);
  const reason = !touchpointCan.start(touchpoint)
    ? t('isArchived')
    : data?.hosts.length === 0
      ? t('startLater')
      : undefined;
  return (
    <>
      {canPause ? (
        <PermittedButton
          permission={['update', 'Touchpoint']}
          leftSection={<IconPlayerPause size={16} />}
          loading={pause.isPending}
          onClick={() => pause.mutate({ id })}
        >
          {t('words.pause')}
        </PermittedButton>
      ) : (
        <PermittedButton
          variant="filled"
          permission={['update', 'Touchpoint']}
          reason={reason}
          leftSection={<IconPlayerPlay size={16} />}
          loading={start.isPending}
          onClick={() => start.mutate({ id })}
        >
          {t(status === 'paused' ? 'words.resume' : 'start')}
        </PermittedButton>
      )}
      <ActionError error={start.error ?? pause.error} />
    </>
  );
}
