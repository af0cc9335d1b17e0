import { fillRules, type AbilityRule } from '@reachout/contract/abilities.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { isForAdministrators, readsAllContent } from '@reachout/contract/rules/shares.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toStoredValue } from '#web/content/collections/item-values.ts';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

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
  const { t } = useTranslation('shares');
  const { api, orgId } = useOrganization();
  const roleName = useRoleName();
  const offered = roles.filter((role) => canBeLent(role, orgId));
  // Submitting the form again after a connection error does not create a second link.
  const [idempotencyKey, setIdempotencyKey] = useState(randomUuid);
  const create = useMutation(api.content.createShare.mutationOptions({ context: { idempotencyKey } }));
  const form = useRecordForm(boundsOf('content.createShare'), {
    fields: {
      name: { label: t('form.name'), hint: t('nameHint'), initial: itemName },
      role: {
        label: t('role'),
        hint: t('roleHint'),
        initial: (offered.find(({ role }) => role === 'analyst') ?? offered[0])?.role,
        options: offered.map(({ role, name }) => ({
          value: role,
          label: roleName({ role, role_name: name }),
        })),
      },
      password: {
        label: t('password'),
        hint: t('passwordHint'),
        autoComplete: 'new-password',
        input: PasswordInput,
      },
      date_start: { label: t('start'), inputProps: { type: 'datetime-local' } },
      date_end: { label: t('end'), inputProps: { type: 'datetime-local' } },
      max_uses: { label: t('maxUses'), hint: t('maxUsesHint') },
    },
    checks: {
      date_end: (end, { date_start: start }) =>
        end !== '' && start !== '' && end <= start ? t('endBeforeStart') : null,
    },
    save: async ({ date_start, date_end, ...values }) => {
      try {
        await create.mutateAsync({
          organization_id: orgId,
          collection,
          item,
          ...values,
          date_start: toInstant(date_start),
          date_end: toInstant(date_end),
        });
      } finally {
        setIdempotencyKey(randomUuid());
      }
    },
    notice: t('words.linkCreated'),
    onClose,
  });
  return (
    <RecordDrawer form={form} title={t('newLink')} submitLabel={t('words.createLink')} onClose={onClose} />
  );
}

/** The server has the same rule. */
function canBeLent({ rules }: RoleDetails, organizationId: string): boolean {
  const filled = fillRules(rules as AbilityRule[], { organization_id: organizationId, client_ids: [] });
  return !isForAdministrators(filled) && readsAllContent(filled, organizationId);
}

const toInstant = (local: string | null) =>
  local === null ? null : (toStoredValue({ type: 'timestamp' }, local) as string | null);
