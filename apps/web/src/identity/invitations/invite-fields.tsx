import { Input, SegmentedControl } from '@mantine/core';
import { usesMemberClients } from '@reachout/contract/abilities.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { languages, type Language } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ClientChoice } from '#web/identity/roles/client-choice.tsx';
import { RoleChoice } from '#web/identity/roles/role-choice.tsx';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { EmailListInput } from '#web/ui/email-list-input.tsx';
import { useServerForm, type ServerForm } from '#web/ui/use-server-form.ts';
import { notify } from '#web/ui/notify.tsx';

// A type alias, because an interface has no implicit index signature, which forms require.
type InviteValues = {
  emails: string[];
  role: string;
  client_ids: string[];
  language: Language;
};

const mostAtOnce = 50;

const needsClients = (roles: readonly RoleDetails[], role: string): boolean =>
  usesMemberClients(roles.find((entry) => entry.role === role)?.rules ?? []);

/** @param onSent  receives the addresses of existing members, to whom nothing was sent */
export function useInviteForm(
  roles: readonly RoleDetails[],
  onSent: (alreadyMembers: string[]) => void,
): ServerForm<InviteValues> {
  const { t, i18n } = useTranslation(['settings', 'common']);
  const format = useFormat();
  const { api, orgId } = useOrganization();
  const create = useMutation(api.invitations.create.mutationOptions());
  return useServerForm<InviteValues>({
    initial: { emails: [], role: 'editor', client_ids: [], language: i18n.language as Language },
    checks: {
      emails: (emails) => {
        if (emails.length === 0) return t('common:form.required');
        if (emails.length > mostAtOnce) return t('invitations.tooMany', { max: mostAtOnce });
        const bad = emails.filter((email) => !isEmail(email));
        return bad.length === 0
          ? null
          : t('invitations.bad', { count: bad.length, addresses: format.list(bad) });
      },
      role: (role) => (role === '' ? t('common:form.required') : null),
      client_ids: (ids, { role }) =>
        ids.length === 0 && needsClients(roles, role) ? t('members.clientNeeded') : null,
    },
    fieldOfCode: { beyond_own_rights: 'role' },
    submit: async (values) => {
      const sent = await create.mutateAsync({ organization_id: orgId, ...values });
      if (sent.items.length > 0) notify(t('invitations.sent', { count: sent.items.length }));
      onSent(sent.already_members);
    },
  });
}

/** Addresses, role and language of the invitation email. */
export function InviteFields({
  form,
  roles,
}: {
  form: ServerForm<InviteValues>;
  roles: readonly RoleDetails[];
}) {
  const { t } = useTranslation('settings');
  const { emails, role, client_ids, language } = form.fields.getValues();
  const { errors } = form.fields;
  const set = <K extends keyof InviteValues>(field: K, value: InviteValues[K]) => {
    form.fields.setFieldValue(field, value as never);
    form.fields.clearFieldError(field);
  };
  return (
    <>
      <EmailListInput
        data-path="emails"
        label={t('invitations.emails')}
        description={t('invitations.emailsHint')}
        value={emails}
        onChange={(next) => set('emails', next)}
        error={errors['emails']}
      />
      <RoleChoice
        roles={roles}
        value={role}
        onChange={(next) => {
          set('role', next);
          set('client_ids', []);
        }}
        error={errors['role']}
      />
      {needsClients(roles, role) && (
        <ClientChoice
          data-path="client_ids"
          label={t('members.clients')}
          description={t('members.clientsHint')}
          value={client_ids}
          onChange={(ids) => set('client_ids', ids)}
          error={errors['client_ids']}
        />
      )}
      <Input.Wrapper label={t('invitations.language')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('invitations.language')}
          value={language}
          onChange={(next) => set('language', next)}
          data={languages.map((value) => ({ value, label: languageNames[value] }))}
        />
      </Input.Wrapper>
    </>
  );
}
