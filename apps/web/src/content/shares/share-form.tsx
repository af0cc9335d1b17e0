import { NumberInput, Select, TextInput } from '@mantine/core';
import { fillRules, type AbilityRule } from '@reachout/contract/abilities.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import {
  isForAdministrators,
  maxSharePassword,
  maxShareUses,
  readsAllContent,
} from '@reachout/contract/rules/shares.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toStoredValue } from '#web/content/collections/item-values.ts';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';

interface Props {
  collection: string;
  item: string;
  /** What people call the item. */
  itemName: string;
  roles: readonly RoleDetails[];
  onClose: () => void;
}

/** Creates a link to an item. */
export function ShareForm({ collection, item, itemName, roles, onClose }: Props) {
  const { t } = useTranslation(['shares', 'common']);
  const { api, orgId } = useOrganization();
  const roleName = useRoleName();
  const checkName = useNameCheck();
  const offered = roles.filter((role) => canBeLent(role, orgId));
  // Submitting the form again after a connection error does not create a second link.
  const [idempotencyKey, setIdempotencyKey] = useState(randomUuid);
  const create = useMutation(api.content.createShare.mutationOptions({ context: { idempotencyKey } }));
  const form = useServerForm({
    initial: {
      name: itemName,
      role: (offered.find(({ role }) => role === 'analyst') ?? offered[0])?.role ?? '',
      password: '',
      date_start: '',
      date_end: '',
      max_uses: '',
    },
    checks: {
      name: checkName,
      date_end: (end, { date_start }) =>
        end !== '' && date_start !== '' && end <= date_start ? t('endBeforeStart') : null,
    },
    limits: { password: maxSharePassword },
    submit: async ({ name, role, password, date_start, date_end, max_uses }) => {
      try {
        await create.mutateAsync({
          organization_id: orgId,
          collection,
          item,
          name: name.trim(),
          role,
          ...(password === '' ? {} : { password }),
          date_start: toInstant(date_start),
          date_end: toInstant(date_end),
          max_uses: max_uses === '' ? null : Number(max_uses),
        });
        notify(t('made'));
        onClose();
      } finally {
        setIdempotencyKey(randomUuid());
      }
    },
  });
  const { getInputProps } = form.fields;
  const optional = (label: string) => `${label} ${t('common:optional')}`;
  return (
    <FormDrawer opened onClose={onClose} title={t('newLink')} form={form} submitLabel={t('make')}>
      <TextInput data-autofocus label={t('name')} description={t('nameHint')} {...getInputProps('name')} />
      <Select
        label={t('role')}
        description={t('roleHint')}
        allowDeselect={false}
        data={offered.map(({ role, name }) => ({ value: role, label: roleName({ role, role_name: name }) }))}
        {...getInputProps('role')}
      />
      <PasswordInput
        label={optional(t('password'))}
        description={t('passwordHint')}
        autoComplete="new-password"
        {...getInputProps('password')}
      />
      <TextInput type="datetime-local" label={optional(t('start'))} {...getInputProps('date_start')} />
      <TextInput type="datetime-local" label={optional(t('end'))} {...getInputProps('date_end')} />
      <NumberInput
        label={optional(t('maxUses'))}
        description={t('maxUsesHint')}
        min={1}
        max={maxShareUses}
        allowDecimal={false}
        {...getInputProps('max_uses')}
      />
    </FormDrawer>
  );
}

/** The server has the same rule. */
function canBeLent({ rules }: RoleDetails, organizationId: string): boolean {
  const filled = fillRules(rules as AbilityRule[], { organization_id: organizationId, client_ids: [] });
  return !isForAdministrators(filled) && readsAllContent(filled, organizationId);
}

const toInstant = (local: string) => toStoredValue({ type: 'timestamp' }, local) as string | null;
