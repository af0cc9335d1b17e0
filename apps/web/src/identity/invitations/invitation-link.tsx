import { Group, Stack, Text, TextInput } from '@mantine/core';
import type { InvitationLink } from '@reachout/contract/invitations.ts';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ClientChoice } from '#web/identity/roles/client-choice.tsx';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notifyOf } from '#web/ui/notify.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

/** The organization's invitation link: anyone who has it can join as a guest. There is no link until one is created. */
export function InvitationLinkCard() {
  const { t } = useTranslation('settings');
  const { api, orgId } = useOrganization();
  const query = useQuery(api.invitations.getLink.queryOptions({ input: { id: orgId } }));
  const [open, setOpen] = useState<'make' | 'remove'>();
  const remove = useMutation(api.invitations.removeLink.mutationOptions(notifyOf(t('link.removed'))));
  return (
    <SectionCard title={t('link.title')} hint={t('link.hint')}>
      <AsyncRegion query={query} what={t('link.what')} skeleton={<PanelSkeleton height={72} />}>
        {(link) => (
          <>
            {link ? <LinkValues link={link} /> : <Text mb="md">{t('link.off')}</Text>}
            <Group gap="xs">
              <PermittedButton permission={['create', 'Invitation']} onClick={() => setOpen('make')}>
                {link ? t('link.renew') : t('words.createLink')}
              </PermittedButton>
              {link && (
                <PermittedButton
                  c="var(--app-danger)"
                  permission={['delete', 'Invitation']}
                  onClick={() => setOpen('remove')}
                >
                  {t('link.remove')}
                </PermittedButton>
              )}
            </Group>
            {open === 'make' && <InvitationLinkForm link={link} onClose={() => setOpen(undefined)} />}
          </>
        )}
      </AsyncRegion>
      {open === 'remove' && (
        <ConfirmDialog
          title={t('link.removeQuestion')}
          text={t('link.removeEffect')}
          confirmLabel={t('link.remove')}
          onClose={() => setOpen(undefined)}
          onConfirm={() => remove.mutateAsync({ id: orgId })}
        />
      )}
    </SectionCard>
  );
}

function LinkValues({ link }: { link: InvitationLink }) {
  const { t } = useTranslation(['settings', 'common']);
  const format = useFormat();
  const [openedAt] = useState(() => new Date());
  const over = link.uses >= link.max_uses || new Date(link.expires_at) < openedAt;
  return (
    <Stack gap="xs" mb="md">
      <Group align="end" gap="xs">
        <TextInput
          readOnly
          label={t('link.address')}
          value={link.url}
          flex="1 1 280px"
          maw={560}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyTextButton text={link.url} label={t('words.copyLink')} />
      </Group>
      <Text size="sm" {...(over ? { c: 'var(--app-warning)' } : {})}>
        {t(over ? 'link.over' : 'link.state', {
          uses: format.number(link.uses),
          max: format.number(link.max_uses),
          until: format.dateTime(link.expires_at),
        })}
      </Text>
      <Text size="sm">
        {link.clients.length === 0
          ? t('link.noClients')
          : t('members.only', { clients: format.list(link.clients.map(({ name }) => name)) })}
      </Text>
    </Stack>
  );
}

/** Creates or renews the link. */
function InvitationLinkForm({ link, onClose }: { link: InvitationLink | null; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { api, orgId } = useOrganization();
  const renew = useMutation(api.invitations.renewLink.mutationOptions());
  const form = useRecordForm(boundsOf('invitations.renewLink'), {
    record: link ? { max_uses: link.max_uses, client_ids: link.clients.map(({ id }) => id) } : undefined,
    fields: {
      max_uses: { label: t('link.maxUses') },
      days: { label: t('link.days') },
      client_ids: {
        label: t('members.clients'),
        hint: t('members.clientsHint'),
        missing: t('members.clientNeeded'),
        input: ClientChoice,
        inputProps: { chosen: link?.clients },
      },
    },
    save: (values) => renew.mutateAsync({ id: orgId, ...values }),
    notice: t('words.linkCreated'),
    onClose,
  });
  const title = link ? t('link.renew') : t('words.createLink');
  return (
    <FormDrawer onClose={onClose} title={title} form={form} submitLabel={title}>
      {link && <Text>{t('link.renewEffect')}</Text>}
      <RecordFields form={form} isFocused />
    </FormDrawer>
  );
}
