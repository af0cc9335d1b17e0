import type { InvitationPreview } from '@reachout/contract/invitations.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkResult } from '#web/identity/auth/link-result.tsx';
import { api } from '#web/platform/api.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { isProblem } from '#web/platform/problem.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { startSession, useSession } from '#web/identity/auth/session.ts';
import { PanelSkeleton, Loading } from '#web/ui/skeletons.tsx';
import { ErrorState } from '#web/ui/states.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { PendingInvitation } from './pending-invitation.tsx';

interface Props {
  kind: 'email' | 'link';
  token: string;
  /** Only contained in the emailed link. */
  proof?: string | undefined;
}

/** The page that an invitation link opens, signed in or not. */
export function InvitationPage({ kind, token, proof }: Props) {
  const { t } = useTranslation('invitations');
  const session = useSession();
  const [joined, setJoined] = useState<string>();
  const query = useQuery(api.invitations.preview.queryOptions({ input: { token } }));
  const waiting = query.isPending || session.is === 'loading';
  const showSkeleton = useDelayed(waiting);
  if (joined !== undefined) return <Entering orgId={joined} />;
  if (query.isError && query.data === undefined) {
    if (isProblem(query.error, 404) || isProblem(query.error, 422)) return <Closed reason="unknown" />;
    return (
      <AuthFrame title={t('title')}>
        <ErrorState error={query.error} what={t('what')} onRetry={() => void query.refetch()} />
      </AuthFrame>
    );
  }
  if (query.data === undefined || session.is === 'loading' || showSkeleton) {
    return (
      <AuthFrame title={t('title')}>
        {showSkeleton && (
          <Loading what={t('what')}>
            <PanelSkeleton height={200} />
          </Loading>
        )}
      </AuthFrame>
    );
  }
  if (query.data.status !== 'pending') return <Closed reason={query.data.status} preview={query.data} />;
  return (
    <PendingInvitation
      kind={kind}
      token={token}
      proof={proof}
      preview={query.data}
      session={session}
      onJoined={setJoined}
    />
  );
}

/** Shown between the form and the app, while the session is started. */
function Entering({ orgId }: { orgId: string }) {
  const { t } = useTranslation('invitations');
  const navigate = useNavigate();
  const enter = useEffectEvent(async () => {
    // If the session cannot be read now, the app loads it again.
    await startSession().catch(() => undefined);
    await navigate({ to: '/o/$orgId', params: { orgId }, replace: true });
  });
  useEffect(() => void enter(), []);
  return (
    <AuthFrame title={t('entering')}>
      <Loading what={t('what')}>
        <PanelSkeleton height={200} />
      </Loading>
    </AuthFrame>
  );
}

type Reason = Exclude<InvitationPreview['status'], 'pending'> | 'unknown';

/** Explains why the invitation cannot be accepted, and what to do. */
function Closed({ reason, preview }: { reason: Reason; preview?: InvitationPreview }) {
  const { t } = useTranslation('invitations');
  const key = reason === 'used_up' ? 'usedUp' : reason;
  const inviter = preview?.invited_by_name;
  const body =
    reason === 'expired'
      ? inviter
        ? t('expired.body', { name: inviter })
        : t('expired.bodyPlain')
      : t(`${key as Exclude<typeof key, 'expired'>}.body`);
  return (
    <LinkResult
      title={t(`${key}.title`)}
      text={body}
      action={<LinkButton to="/organizations">{t('toOrganizations')}</LinkButton>}
    />
  );
}
