import { Text, Textarea } from '@mantine/core';
import type { Subscription } from '@reachout/contract/consent.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
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
  const form = useServerForm<{ note: string }>({
    initial: { note: '' },
    submit: async (values) => {
      await unsubscribe.mutateAsync({ ...target, ...values });
      notify(t('unsubscribe.done'));
      onClose();
    },
  });
  return (
    <Form form={form} submitLabel={t('actions.unsubscribe')} onCancel={onClose}>
      <Textarea
        autosize
        minRows={2}
        data-autofocus
        label={`${t('unsubscribe.note')} ${t('common:optional')}`}
        description={t('unsubscribe.noteHint')}
        {...form.fields.getInputProps('note')}
      />
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
  const form = useServerForm<{ basis: string }>({
    initial: { basis: '' },
    checks: { basis: (basis) => (basis.trim() === '' ? t('common:form.required') : null) },
    submit: async (values) => {
      await resubscribe.mutateAsync({ ...target, ...values });
      notify(t('resubscribe.done'));
      onClose();
    },
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
      <Textarea
        autosize
        minRows={2}
        data-autofocus
        label={t('resubscribe.basis')}
        description={t('resubscribe.basisHint')}
        {...form.fields.getInputProps('basis')}
      />
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
