import { Text } from '@mantine/core';
import type { Subscription } from '@reachout/contract/consent.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { useSuppressionText } from './suppression-text.ts';

/** The requested change and its contact. */
export interface SubscriptionChange {
  act: 'unsubscribe' | 'resubscribe';
  collection: string;
  subscription: Subscription;
  /** Null for all brands. */
  brand: { id: string; name: string } | null;
}

interface Props {
  change: SubscriptionChange;
  onClose: () => void;
}

/** Confirms that email of a brand, or of all brands, stops or starts again. Mount it to open it. */
export function ChangeDialog({ change, onClose }: Props) {
  const { t } = useTranslation(['consent', 'common']);
  const { act, subscription, brand } = change;
  const names = { contact: subscription.address ?? '', brand: brand?.name ?? '' };
  return (
    <Dialog onClose={onClose} title={t(`${act}.${brand === null ? 'titleAll' : 'title'}`, names)}>
      <Text mb="md">{t(`${act}.${brand === null ? 'bodyAll' : 'body'}`, names)}</Text>
      {act === 'unsubscribe' ? (
        <UnsubscribeForm change={change} onClose={onClose} />
      ) : (
        <ResubscribeForm change={change} onClose={onClose} />
      )}
    </Dialog>
  );
}

function UnsubscribeForm({ change, onClose }: Props) {
  const { t } = useTranslation(['consent', 'common']);
  const { api } = useOrganization();
  const unsubscribe = useMutation(api.consent.unsubscribe.mutationOptions());
  const target = useTarget(change);
  const form = useRecordForm(boundsOf('consent.unsubscribe'), {
    fields: {
      note: { label: t('unsubscribe.note'), hint: t('unsubscribe.noteHint'), kind: 'multi-line' },
    },
    save: (values) => unsubscribe.mutateAsync({ ...target, ...values }),
    notice: t('status.unsubscribed'),
    onClose,
  });
  return (
    <Form form={form} submitLabel={t('actions.unsubscribe')} onCancel={onClose}>
      <RecordFields form={form} isFocused />
    </Form>
  );
}

function ResubscribeForm({ change, onClose }: Props) {
  const { t } = useTranslation(['consent', 'common']);
  const format = useFormat();
  const suppressionText = useSuppressionText();
  const { api } = useOrganization();
  const resubscribe = useMutation(api.consent.resubscribe.mutationOptions());
  const target = useTarget(change);
  const form = useRecordForm(boundsOf('consent.resubscribe'), {
    fields: {
      basis: { label: t('resubscribe.basis'), hint: t('resubscribe.basisHint'), kind: 'multi-line' },
    },
    save: (values) => resubscribe.mutateAsync({ ...target, ...values }),
    notice: t('resubscribe.done'),
    onClose,
  });
  const { subscription, brand } = change;
  const left = brand === null ? brandsLeftOneByOne(subscription) : [];
  const lifted = subscription.suppressions.filter(({ brand_id }) => brand_id === (brand?.id ?? null));
  return (
    <Form form={form} submitLabel={t('actions.resubscribe')} onCancel={onClose}>
      {lifted.map((suppression) => (
        <Text key={suppression.source}>
          {t(`common:status.${suppression.state}`)} · {suppressionText(suppression)}
        </Text>
      ))}
      {left.length > 0 && <Text>{t('resubscribe.stays', { brands: format.list(left) })}</Text>}
      <RecordFields form={form} isFocused />
    </Form>
  );
}

function useTarget({ collection, subscription, brand }: SubscriptionChange) {
  const { orgId } = useOrganization();
  return { organization_id: orgId, collection, key: subscription.key, brand_id: brand?.id ?? null };
}

/**
 * Includes all clients regardless of the chosen one: a suppression for all brands is lifted for the brands of all clients.
 */
const brandsLeftOneByOne = ({ suppressions }: Subscription): string[] =>
  [...new Map(suppressions.map(({ brand_id, brand_name }) => [brand_id, brand_name])).values()].filter(
    (name) => name !== null,
  );
