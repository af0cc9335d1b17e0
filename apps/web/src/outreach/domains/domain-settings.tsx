import type { DomainDetails } from '@reachout/contract/domains.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { OwnerChoice } from '#web/content/owners/owner-choice.tsx';
import { ownerKey, ownerOf } from '#web/content/owners/owner-key.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

/** Changes owner and destination. */
export function DomainSettings({ domain, onClose }: { domain: DomainDetails; onClose: () => void }) {
  const { t } = useTranslation(['domains', 'common']);
  const { api } = useOrganization();
  const update = useMutation(api.domains.update.mutationOptions());
  const form = useRecordForm(boundsOf('domains.update'), {
    record: domain,
    fields: {
      owner: { input: OwnerChoice, hint: t('ownerHint'), initial: ownerKey(domain) },
      destination: { label: t('words.website'), hint: t('destinationHint') },
    },
    rejected: { destination: t('words.enterUrl') },
    save: ({ owner, destination }) =>
      update.mutateAsync({
        id: domain.id,
        ...(owner === ownerKey(domain) ? {} : ownerOf(owner)),
        destination,
      }),
    notice: t('saved'),
    onClose,
  });
  const submitLabel = t('common:actions.save');
  return <RecordDrawer isSmall form={form} title={t('change')} submitLabel={submitLabel} onClose={onClose} />;
}
