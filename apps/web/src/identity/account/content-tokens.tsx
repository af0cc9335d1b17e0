import { Button, Group, Select, TextInput } from '@mantine/core';
import type { Organization } from '@reachout/contract/organizations.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretDialog } from '#web/identity/api-keys/secret-dialog.tsx';
import { organizationsQuery } from '#web/identity/organizations/organizations.ts';
import { api } from '#web/platform/api.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';

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
        <Button variant="default" onClick={() => setIsOpen(true)}>
          {t('contentTokens.create')}
        </Button>
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
  const checkName = useNameCheck();
  // Submitting the form again after a connection error does not create a second token.
  const [idempotencyKey, setIdempotencyKey] = useState(randomUuid);
  const create = useMutation(api.apiKeys.createContentToken.mutationOptions({ context: { idempotencyKey } }));
  const form = useServerForm<{ id: string; name: string; days: string }>({
    initial: { id: organizations[0]?.id ?? '', name: '', days: '365' },
    checks: { name: checkName },
    submit: async ({ id, name, days }) => {
      try {
        const made = await create.mutateAsync({ id, name: name.trim(), days: Number(days) });
        onClose();
        if (made.secret !== null) onMade(made.secret);
      } finally {
        setIdempotencyKey(randomUuid());
      }
    },
  });
  const { getInputProps } = form.fields;
  return (
    <FormDrawer
      opened
      onClose={onClose}
      title={t('contentTokens.create')}
      form={form}
      submitLabel={t('contentTokens.create')}
    >
      <Select
        label={t('apiKeys.organization')}
        allowDeselect={false}
        data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
        {...getInputProps('id')}
      />
      <TextInput
        data-autofocus
        label={t('settings:keys.name')}
        description={t('contentTokens.nameHint')}
        {...getInputProps('name')}
      />
      <Select
        label={t('settings:keys.days')}
        allowDeselect={false}
        data={lifetimes.map((days) => ({
          value: String(days),
          label: t('settings:keys.daysValue', { count: days }),
        }))}
        {...getInputProps('days')}
      />
    </FormDrawer>
  );
}
