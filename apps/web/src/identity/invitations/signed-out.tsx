import { Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { describeInvited, signUpByInvitation, type MailedInvitation } from '#web/identity/auth/invited.ts';
import { authOptionsQuery } from '#web/identity/auth/auth-options.ts';
import { NewPasswordInput, useNewPasswordCheck } from '#web/identity/auth/new-password-input.tsx';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { LinkButton } from '#web/platform/links.tsx';
import { compact } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { refresh } from '#web/platform/query-client.ts';
import { Form } from '#web/ui/form.tsx';
import { Loading, PanelSkeleton } from '#web/ui/skeletons.tsx';
import { ErrorState } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { DeclineInvitation } from './decline-invitation.tsx';

// The form is written by hand: signing up is no operation of the contract.

interface Props {
  kind: 'email' | 'link';
  token: string;
  proof: string | undefined;
  organization: string;
  onJoined: (orgId: string) => void;
}

/** For signed-out users: a sign-up form if the link proves the address, otherwise the sign-in methods. */
export function SignedOut({ kind, token, proof = '', organization, onJoined }: Props) {
  const { t } = useTranslation('invitations');
  const canSignUp = useQuery(authOptionsQuery).data?.sign_up !== 'closed';
  const invited = useQuery({
    queryKey: ['invited', token, proof],
    queryFn: () => describeInvited({ token, proof }),
    enabled: kind === 'email' && proof !== '',
  });
  if (invited.isLoading) {
    return (
      <Loading what={t('what')}>
        <PanelSkeleton height={200} />
      </Loading>
    );
  }
  // A link without proof still leads to the invitation.
  if (invited.isError && !isProblem(invited.error, 410))
    return <ErrorState error={invited.error} what={t('what')} onRetry={() => void invited.refetch()} />;
  const { data } = invited;
  return (
    <Stack gap="xs">
      {data && !data.hasAccount && canSignUp ? (
        <JoinForm
          link={{ token, proof }}
          email={data.email}
          organization={organization}
          onRejected={() => void invited.refetch()}
          onJoined={onJoined}
        />
      ) : (
        <WaysIn kind={kind} email={data?.email} canSignUp={canSignUp && !data?.hasAccount} />
      )}
      {kind === 'email' && <DeclineInvitation token={token} />}
    </Stack>
  );
}

function WaysIn({
  kind,
  email,
  canSignUp,
}: Pick<Props, 'kind'> & { email?: string | undefined; canSignUp: boolean }) {
  const { t } = useTranslation('invitations');
  const next = useLocation().pathname;
  const search = compact({ next, email });
  return (
    <>
      <LinkButton variant="filled" to="/sign-in" search={search} fullWidth>
        {t(kind === 'email' ? 'signInToAccept' : 'signInToJoin')}
      </LinkButton>
      {canSignUp && (
        <LinkButton to="/sign-up" search={search} fullWidth>
          {t('signUp')}
        </LinkButton>
      )}
      <QuietText ta="center">
        {t(canSignUp || email !== undefined ? 'signedOutHint' : 'signUpClosed')}
      </QuietText>
    </>
  );
}

interface JoinFormProps {
  link: MailedInvitation;
  /** The invited address, which the link proves. */
  email: string;
  organization: string;
  /** Called if the address has got an account meanwhile. */
  onRejected: () => void;
  onJoined: (orgId: string) => void;
}

/** Asks for name and password, then joins: what the email has proven is not asked for again. */
function JoinForm({ link, email, organization, onRejected, onJoined }: JoinFormProps) {
  const { t } = useTranslation(['invitations', 'auth']);
  const checkName = useNameCheck();
  const checkPassword = useNewPasswordCheck();
  const wait = useWait();
  const form = useServerForm({
    initial: { name: '', password: '' },
    checks: { name: checkName, password: checkPassword },
    rejected: { password: t('auth:passwordTooCommon') },
    submit: async ({ name, password }) => {
      try {
        const input = { ...link, name: name.trim(), password };
        await wait.run(async () => onJoined(await signUpByInvitation(input)));
      } catch (error) {
        if (isProblem(error) && error.code === 'account_exists') onRejected();
        // The page then shows why it can no longer be accepted.
        else if (isProblem(error, 410) || isProblem(error, 409)) await refresh('me');
        throw error;
      }
    },
  });
  return (
    <Form form={form} submitLabel={t('joinNamed', { organization })} fullWidth>
      <Text className="break">{t('joinAs', { email })}</Text>
      <WaitNotice wait={wait} />
      {/* For password managers, to identify the account. */}
      <input type="text" hidden readOnly autoComplete="username" value={email} />
      <TextInput
        autoComplete="name"
        label={t('auth:name')}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is there for this one thing
        autoFocus
        {...form.fields.getInputProps('name')}
      />
      <NewPasswordInput
        label={t('auth:password')}
        known={[form.fields.values.name, email]}
        {...form.fields.getInputProps('password')}
      />
    </Form>
  );
}
