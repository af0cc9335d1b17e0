import { Input, SegmentedControl } from '@mantine/core';
import { usesMemberClients } from '@reachout/contract/abilities.ts';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { languages, type Language } from '@reachout/contract/rules/languages.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ClientChoice } from '#web/identity/roles/client-choice.tsx';
import { RoleChoice } from '#web/identity/roles/role-choice.tsx';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { EmailListInput } from '#web/ui/email-list-input.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

const bounds = boundsOf('invitations.create');

const needsClients = (roles: readonly RoleDetails[], role: unknown): boolean =>
  usesMemberClients(roles.find((entry) => entry.role === role)?.rules ?? []);

/**
 * Addresses, role and language of the invitation email.
 * @param onSent  receives the addresses of existing members, to whom nothing was sent
 */
export function useInviteForm(roles: readonly RoleDetails[], onSent: (alreadyMembers: string[]) => void) {
  const { t, i18n } = useTranslation('settings');
  const format = useFormat();
  const { api, orgId } = useOrganization();
  const create = useMutation(api.invitations.create.mutationOptions());
  return useRecordForm(bounds, {
    fields: {
      emails: { label: t('invitations.emails'), hint: t('invitations.emailsHint'), input: EmailListInput },
      role: { input: RoleChoice, inputProps: { roles }, initial: 'editor' },
      client_ids: {
        label: t('members.clients'),
        hint: t('members.clientsHint'),
        isOptional: false,
        input: ClientChoice,
        isShown: ({ role }) => needsClients(roles, role),
      },
      language: { label: t('invitations.language'), input: LanguageChoice, initial: i18n.language },
    },
    checks: {
      emails: (emails) => {
        const max = bounds.emails.max ?? Infinity;
        if (emails.length > max) return t('invitations.tooMany', { max });
        const bad = emails.filter((email) => !isEmail(email));
        return bad.length === 0
          ? null
          : t('invitations.bad', { count: bad.length, addresses: format.list(bad) });
      },
      client_ids: (ids) => (ids.length === 0 ? t('members.clientNeeded') : null),
    },
    fieldOfCode: { beyond_own_rights: 'role' },
    save: async ({ client_ids, ...values }) => {
      const sent = await create.mutateAsync({
        organization_id: orgId,
        ...values,
        client_ids: needsClients(roles, values.role) ? client_ids : [],
      });
      if (sent.items.length > 0) notify(t('invitations.sent', { count: sent.items.length }));
      onSent(sent.already_members);
    },
  });
}

interface LanguageChoiceProps {
  label: string;
  value: Language;
  onChange: (language: Language) => void;
}

function LanguageChoice({ label, value, onChange }: LanguageChoiceProps) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        fullWidth
        aria-label={label}
        value={value}
        onChange={onChange}
        data={languages.map((language) => ({ value: language, label: languageNames[language] }))}
      />
    </Input.Wrapper>
  );
}
