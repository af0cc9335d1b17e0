import type { Transport } from '@reachout/contract/transports.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/identity/account/me-query.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

/** Sends a test message to the user, from an address that the server or provider knows. */
export function TestForm({ transport, onClose }: { transport: Transport; onClose: () => void }) {
  const { t } = useTranslation('transports');
  const { api, orgId } = useOrganization();
  const me = useQuery(meQuery);
  const test = useMutation(api.transports.test.mutationOptions());
  const form = useRecordForm(boundsOf('transports.test'), {
    fields: { from: { label: t('words.fromEmail'), hint: t('test.hint') } },
    save: ({ from }) => test.mutateAsync({ id: orgId, transport_id: transport.id, from }),
    notice: t('test.done', { address: me.data?.email }),
    onClose,
  });
  return (
    <RecordDrawer
      isSmall
      form={form}
      title={t('test.title', { name: transport.name })}
      submitLabel={t('test.send')}
      onClose={onClose}
    />
  );
}
