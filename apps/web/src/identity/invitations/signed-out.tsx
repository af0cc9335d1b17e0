import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { describeInvited } from '#web/identity/auth/invited.ts';
import { authOptionsQuery } from '#web/identity/auth/auth-options.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { compact } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { Loading, PanelSkeleton } from '#web/ui/skeletons.tsx';
import { ErrorState } from '#web/ui/states.tsx';
import { DeclineInvitation } from './decline-invitation.tsx';
import { JoinForm } from './join-form.tsx';

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
      <LinkButton to="/sign-in" search={search} fullWidth>
        {t(kind === 'email' ? 'signInToAccept' : 'signInToJoin')}
      </LinkButton>
      {canSignUp && (
        <LinkButton to="/sign-up" search={search} variant="default" fullWidth>
          {t('signUp')}
        </LinkButton>
      )}
      <Text size="sm" c="dimmed" ta="center">
        {t(canSignUp || email !== undefined ? 'signedOutHint' : 'signUpClosed')}
      </Text>
    </>
  );
}
