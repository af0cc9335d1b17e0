import { Button, Group } from '@mantine/core';
import type { Organization } from '@reachout/contract/organizations.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretDialog } from '#web/identity/api-keys/secret-dialog.tsx';
import { organizationsQuery } from '#web/identity/organizations/organizations.ts';
import { api } from '#web/platform/api.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

const lifetimes = [30, 90, 365] as const;

/** Creates tokens for the items that the user created, in an organization that the user chooses. */
export function ContentTokens() {
  const { t } = useTranslation('account');
  const organizations = useQuery(organizationsQuery).data?.items ?? [];
  const [isOpen, setIsOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  if (organizations.length === 0) return null;
  return (
    <SectionCard title={t('contentTokens.title')} hint={t('contentTokens.hint')}>
      <Group>
        <Button onClick={() => setIsOpen(true)}>{t('contentTokens.create')}</Button>
      </Group>
      {isOpen && (
        <TokenFields organizations={organizations} onMade={setSecret} onClose={() => setIsOpen(false)} />
      )}
      {secret !== undefined && (
        <SecretDialog
          title={t('contentTokens.secretTitle')}
          hint={t('contentTokens.secretHint')}
          copyLabel={t('contentTokens.copy')}
          secret={secret}
          onStored={() => setSecret(undefined)}
        />
      )}
    </SectionCard>
  );
}

interface FieldsProps {
  organizations: readonly Organization[];
  onMade: (secret: string) => void;
  onClose: () => void;
}

function TokenFields({ organizations, onMade, onClose }: FieldsProps) {
  const { t } = useTranslation(['account', 'settings']);
  // Submitting the form again after a connection error does not create a second token.
  const [idempotencyKey, setIdempotencyKey] = useState(randomUuid);
  const create = useMutation(api.apiKeys.createContentToken.mutationOptions({ context: { idempotencyKey } }));
  const form = useRecordForm(boundsOf('apiKeys.createContentToken'), {
    fields: {
      id: {
        label: t('words.organization'),
        initial: organizations[0]?.id,
        options: organizations.map(({ id, name }) => ({ value: id, label: name })),
      },
      name: { label: t('form.name'), hint: t('contentTokens.nameHint') },
      days: {
        label: t('settings:keys.days'),
        initial: 365,
        options: lifetimes.map((days) => ({
          value: String(days),
          label: t('settings:keys.daysValue', { count: days }),
        })),
      },
    },
    save: async (values) => {
      try {
        const made = await create.mutateAsync(values);
        onClose();
        if (made.secret !== null) onMade(made.secret);
      } finally {
        setIdempotencyKey(randomUuid());
      }
    },
  });
  const title = t('contentTokens.create');
  return <RecordDrawer form={form} title={title} submitLabel={title} onClose={onClose} />;
}
