import { NumberInput, Text } from '@mantine/core';
import type { InvitationLink } from '@reachout/contract/invitations.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ClientChoice } from '#web/identity/roles/client-choice.tsx';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { notify } from '#web/ui/notify.tsx';

/** Creates or renews the link. */
export function InvitationLinkForm({ link, onClose }: { link: InvitationLink | null; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { api, orgId } = useOrganization();
  const within = (max: number) => (value: number | string) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max
      ? null
      : t('link.range', { max });
  const renew = useMutation(api.invitations.renewLink.mutationOptions());
  const form = useServerForm<{ max_uses: number | string; days: number | string; client_ids: string[] }>({
    initial: {
      max_uses: link?.max_uses ?? 20,
      days: 7,
      client_ids: link?.clients.map(({ id }) => id) ?? [],
    },
    checks: {
      max_uses: within(1000),
      days: within(30),
      client_ids: (ids) => (ids.length === 0 ? t('members.clientNeeded') : null),
    },
    submit: async ({ max_uses, days, client_ids }) => {
      await renew.mutateAsync({ id: orgId, client_ids, max_uses: Number(max_uses), days: Number(days) });
      notify(t('link.made'));
      onClose();
    },
  });
  const { getInputProps } = form.fields;
  const title = link ? t('link.renew') : t('link.make');
  return (
    <FormDrawer opened onClose={onClose} title={title} form={form} submitLabel={title}>
      {link && <Text>{t('link.renewEffect')}</Text>}
      <NumberInput
        data-autofocus
        label={t('link.maxUses')}
        {...wholeUpTo(1000)}
        {...getInputProps('max_uses')}
      />
      <NumberInput label={t('link.days')} {...wholeUpTo(30)} {...getInputProps('days')} />
      <ClientChoice
        label={t('members.clients')}
        description={t('members.clientsHint')}
        {...(link ? { chosen: link.clients } : {})}
        {...getInputProps('client_ids')}
      />
    </FormDrawer>
  );
}

const wholeUpTo = (max: number) => ({ min: 1, max, clampBehavior: 'none', allowDecimal: false }) as const;
