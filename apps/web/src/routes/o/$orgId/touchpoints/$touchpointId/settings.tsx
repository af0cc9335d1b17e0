import { Stack } from '@mantine/core';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { channels } from '#web/outreach/channels/channels.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { DeletedState } from '#web/ui/deleted-state.tsx';
import { NameForm } from '#web/ui/name-form.tsx';
import { notify, notifyOf } from '#web/ui/notify.tsx';
import { useRecordDeletion } from '#web/ui/deletion.ts';
import { CardSkeleton } from '#web/ui/page-skeletons.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/settings')({ component: Settings });

function Settings() {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { api, orgId, can, canEver } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const { touchpoints } = api;
  const deletion = useRecordDeletion(touchpoint.id, touchpoints);
  const rename = useMutation(touchpoints.update.mutationOptions());
  const unarchive = useMutation(touchpoints.unarchive.mutationOptions(notifyOf(t('words.unarchived'))));
  const archive = useMutation(
    touchpoints.update.mutationOptions({
      onSuccess: ({ id }) =>
        notify(t('status.archived'), {
          label: t('common:actions.undo'),
          run: () => unarchive.mutate({ id }),
        }),
    }),
  );
  if (deletion.deletedName !== undefined) {
    return (
      <DeletedState
        text={t('deletedHere', { name: touchpoint.name })}
        back={linkOptions({
          to: '/o/$orgId/campaigns/$campaignId',
          params: { orgId, campaignId: touchpoint.campaign.id },
          label: touchpoint.campaign.name,
        })}
        onUndo={deletion.restore}
      />
    );
  }
  const { Settings: ChannelSettings } = channels[touchpoint.type];
  const archived = touchpointCan.reopen(touchpoint);
  return (
    <Stack gap="lg" maw={640}>
      <NameForm
        label={t('form.name')}
        name={touchpoint.name}
        canChange={can('update', 'Touchpoint')}
        rename={(name) => rename.mutateAsync({ id: touchpoint.id, name })}
      />
      {ChannelSettings && (
        <Suspense fallback={<CardSkeleton lines={2} />}>
          <ChannelSettings />
        </Suspense>
      )}
      <ActionError error={archive.error ?? unarchive.error ?? deletion.error} />
      {canEver('update', 'Touchpoint') && (
        <SectionCard title={t('settings.archive')} hint={t('settings.archiveHint')}>
          <PermittedButton
            permission={['update', 'Touchpoint']}
            reason={archived || touchpointCan.archive(touchpoint) ? undefined : t('settings.archiveLater')}
            onClick={() =>
              archived
                ? unarchive.mutate({ id: touchpoint.id })
                : archive.mutate({ id: touchpoint.id, status: 'archived' })
            }
          >
            {archived ? t('common:actions.unarchive') : t('common:actions.archive')}
          </PermittedButton>
        </SectionCard>
      )}
      {canEver('delete', 'Touchpoint') && (
        <SectionCard title={t('settings.delete')} hint={t('settings.deleteHint')}>
          <PermittedButton
            permission={['delete', 'Touchpoint']}
            c="var(--app-danger)"
            onClick={() => deletion.remove(touchpoint.name)}
          >
            {t('settings.delete')}
          </PermittedButton>
        </SectionCard>
      )}
    </Stack>
  );
}
