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
import { boundsOf } from '#web/platform/bounds-of.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
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
      copyLabel={t('words.copyKey')}
      secret={secret}
      onStored={onClose}
    />
  );
}

function KeyFields({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { api, orgId, can } = useOrganization();
  // Submitting the form again after a connection error does not create a second key.
  const [idempotencyKey, setIdempotencyKey] = useState(randomUuid);
  const create = useMutation(api.apiKeys.create.mutationOptions({ context: { idempotencyKey } }));
  const canGrantScope = (scope: ApiKeyScope) =>
    (apiKeyScopes[scope] as readonly AbilityRule[]).every(({ action, subject }) =>
      [action].flat().every((one) => [subject].flat().every((other) => can(one, other as Subject))),
    );
  const form = useRecordForm(boundsOf('apiKeys.create'), {
    fields: {
      name: { label: t('form.name'), hint: t('keys.nameHint') },
      scopes: {
        label: t('keys.scopes'),
        hint: t('keys.scopesHint'),
        missing: t('keys.scopesMissing'),
        options: apiKeyScopeNames.map((scope) => ({
          value: scope,
          label: t(`keys.scope.${scope}`, { nsSeparator: false }),
          disabled: !canGrantScope(scope),
        })),
      },
      days: {
        label: t('keys.days'),
        options: lifetimes.map((days) => ({
          value: String(days),
          label: t('keys.daysValue', { count: days }),
        })),
      },
    },
    fieldOfCode: { beyond_own_rights: 'scopes' },
    save: async (values) => {
      try {
        const made = await create.mutateAsync({ id: orgId, ...values });
        if (made.secret === null) onClose();
        else onMade(made.secret);
      } finally {
        setIdempotencyKey(randomUuid());
      }
    },
  });
  return <RecordDrawer form={form} title={t('keys.new')} submitLabel={t('keys.new')} onClose={onClose} />;
}
