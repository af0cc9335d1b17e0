import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import {
  apiKeyScopeNames,
  apiKeyScopes,
  type AbilityRule,
  type ApiKeyScope,
  type Subject,
} from '@reachout/contract/abilities.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { SecretDialog } from './secret-dialog.tsx';

const lifetimes = [30, 90, 365, 730] as const;

/** Creates a key, then shows its secret, which cannot be shown again. */
export function ApiKeyForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const [secret, setSecret] = useState<string>();
  return secret === undefined ? (
    <KeyFields onMade={setSecret} onClose={onClose} />
  ) : (
    <SecretDialog
      title={t('keys.secretTitle')}
      hint={t('keys.secretHint')}
      copyLabel={t('keys.copy')}
      secret={secret}
      onStored={onClose}
    />
  );
}

function KeyFields({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'common']);
  const { api, orgId, can } = useOrganization();
  const checkName = useNameCheck();
  // Submitting the form again after a connection error does not create a second key.
  const [idempotencyKey, setIdempotencyKey] = useState(randomUuid);
  const create = useMutation(api.apiKeys.create.mutationOptions({ context: { idempotencyKey } }));
  const form = useServerForm<{ name: string; scopes: ApiKeyScope[]; days: string }>({
    initial: { name: '', scopes: [], days: '365' },
    checks: {
      name: checkName,
      scopes: (scopes) => (scopes.length === 0 ? t('keys.scopesMissing') : null),
    },
    fieldOfCode: { beyond_own_rights: 'scopes' },
    submit: async ({ name, scopes, days }) => {
      try {
        const made = await create.mutateAsync({ id: orgId, name: name.trim(), scopes, days: Number(days) });
        if (made.secret === null) onClose();
        else onMade(made.secret);
      } finally {
        setIdempotencyKey(randomUuid());
      }
    },
  });
  const canGrantScope = (scope: ApiKeyScope) =>
    (apiKeyScopes[scope] as readonly AbilityRule[]).every(({ action, subject }) =>
      [action].flat().every((one) => [subject].flat().every((other) => can(one, other as Subject))),
    );
  const { getInputProps } = form.fields;
  return (
    <FormDrawer opened onClose={onClose} title={t('keys.new')} form={form} submitLabel={t('keys.create')}>
      <TextInput
        data-autofocus
        label={t('keys.name')}
        description={t('keys.nameHint')}
        {...getInputProps('name')}
      />
      <Checkbox.Group
        label={t('keys.scopes')}
        description={t('keys.scopesHint')}
        {...getInputProps('scopes')}
      >
        <Stack gap="xs">
          {apiKeyScopeNames.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              disabled={!canGrantScope(scope)}
              label={t(`keys.scope.${scope}`, { nsSeparator: false })}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={t('keys.days')}
        allowDeselect={false}
        data={lifetimes.map((days) => ({
          value: String(days),
          label: t('keys.daysValue', { count: days }),
        }))}
        {...getInputProps('days')}
      />
    </FormDrawer>
  );
}
