import { createFileRoute, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact } from '#web/platform/list-search.ts';
import { readLocal } from '#web/platform/local.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { readEntry, requireSignedOut, type EntrySearch } from '#web/identity/auth/guards.ts';
import { safeNext } from '#web/identity/auth/safe-next.ts';
import { SecondFactorForm } from '#web/identity/auth/second-factor-form.tsx';

export const Route = createFileRoute('/sign-in/second-factor')({
  validateSearch: checked<EntrySearch>(readEntry),
  beforeLoad: ({ context, search }) => requireSignedOut(context.queryClient, search.next),
  component: SecondStep,
});

/** After password, emailed code or provider, for users with a second factor. */
function SecondStep() {
  const { t } = useTranslation('auth');
  const { next } = Route.useSearch();
  const router = useRouter();
  return (
    <AuthFrame
      title={t('secondFactor.title')}
      below={
        <LinkAnchor to="/sign-in" search={compact({ next })} underline="always">
          {t('backToSignIn')}
        </LinkAnchor>
      }
    >
      <SecondFactorForm
        // A provider's redirect does not contain the originally requested path.
        onSignedIn={() => router.history.push(next ?? safeNext(readLocal('next')) ?? '/')}
      />
    </AuthFrame>
  );
}
