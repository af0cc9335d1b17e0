import { Button, Group, Stack, Text } from '@mantine/core';
import { isBuiltInRole } from '@reachout/contract/abilities.ts';
import type { InvitationPreview } from '@reachout/contract/invitations.ts';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { isProblem } from '#web/platform/problem.ts';
import { refresh } from '#web/platform/query-client.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { signOut, type SessionState } from '#web/identity/auth/session.ts';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { DeclineInvitation } from './decline-invitation.tsx';
import { SignedOut } from './signed-out.tsx';

interface Props {
  kind: 'email' | 'link';
  token: string;
  /** From the emailed link. */
  proof: string | undefined;
  preview: InvitationPreview;
  session: SessionState;
  /** Called when a new user has joined and has a session, which the page has not loaded yet. */
  onJoined: (orgId: string) => void;
}

/** A pending invitation, to accept or decline. */
export function PendingInvitation({ kind, token, proof, preview, session, onJoined }: Props) {
  const { t } = useTranslation('invitations');
  const format = useFormat();
  const roleName = useRoleName();
  const { organization, invited_by_name: inviter, role, masked_email: masked } = preview;
  const title = inviter
    ? t('invited', { name: inviter, organization: organization.name })
    : t('invitedPlain', { organization: organization.name });
  return (
    <AuthFrame title={title}>
      <Stack gap="md">
        <Group wrap="nowrap" gap="sm">
          <Logo name={organization.name} logo={organization.logo_url} size={48} />
          <div>
            <Text fw={650} className="break">
              {organization.name}
            </Text>
            {masked && <QuietText className="break">{t('sentTo', { email: masked })}</QuietText>}
          </div>
        </Group>
        <div>
          <Text>{t('role', { role: roleName(preview) })}</Text>
          {isBuiltInRole(role) && <Text c="dimmed">{t(`roles.${role}`)}</Text>}
        </div>
        <QuietText>{t('words.validUntil', { date: format.deadline(preview.expires_at) })}</QuietText>
        {session.is === 'signed_in' ? (
          <SignedIn kind={kind} token={token} preview={preview} email={session.user.email} />
        ) : (
          <SignedOut
            kind={kind}
            token={token}
            proof={proof}
            organization={organization.name}
            onJoined={onJoined}
          />
        )}
      </Stack>
    </AuthFrame>
  );
}

function SignedIn({
  kind,
  token,
  preview,
  email,
}: Omit<Props, 'session' | 'proof' | 'onJoined'> & { email: string }) {
  const { t } = useTranslation('invitations');
  const navigate = useNavigate();
  const { accept, join } = client.invitations;
  const action = useMutation({
    mutationFn: () => (kind === 'email' ? accept({ token }) : join({ token })),
    onSuccess: async ({ organization_id: orgId }) => {
      await navigate({ to: '/o/$orgId', params: { orgId } });
      await refresh('me');
    },
    onError: (error) => (codeOf(error) === 'not_pending' ? refresh('me') : undefined),
  });
  const code = codeOf(action.error);
  if (code === 'other_recipient') {
    return (
      <Stack gap="sm" role="alert">
        <Text fw={650}>{t('other.title')}</Text>
        <Text className="break">{t('other.body', { masked: preview.masked_email ?? '', email })}</Text>
        <SwitchAccount label={t('other.action')} primary />
      </Stack>
    );
  }
  if (code === 'already_member') {
    return (
      <Stack gap="sm" role="alert">
        <Text fw={650}>{t('member.title', { organization: preview.organization.name })}</Text>
        <Text>{t('member.body')}</Text>
        <LinkButton variant="filled" to="/organizations">
          {t('toOrganizations')}
        </LinkButton>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <Text size="sm" className="break">
        {t('as', { email })}
      </Text>
      <Button variant="filled" loading={action.isPending} onClick={() => action.mutate()}>
        {t(kind === 'email' ? 'words.accept' : 'join')}
      </Button>
      {code !== 'not_pending' && <ActionError error={action.error} />}
      {kind === 'email' && <DeclineInvitation token={token} />}
      <SwitchAccount label={t('switch')} />
    </Stack>
  );
}

/** Signs out, then signs in with the invited address and returns here. */
function SwitchAccount({ label, primary = false }: { label: string; primary?: boolean }) {
  const navigate = useNavigate();
  const next = useLocation().pathname;
  const action = useMutation({
    mutationFn: async () => {
      await signOut();
      await navigate({ to: '/sign-in', search: { next } });
    },
  });
  return (
    <>
      <Button
        variant={primary ? 'filled' : 'subtle'}
        loading={action.isPending}
        onClick={() => action.mutate()}
      >
        {label}
      </Button>
      <ActionError error={action.error} />
    </>
  );
}

const codeOf = (error: unknown): string | undefined => (isProblem(error) ? error.code : undefined);
