import { Stack, Text } from '@mantine/core';
import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact } from '#web/platform/list-search.ts';
import { signInWithCode } from '#web/identity/auth/auth-calls.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { LocalMailboxLink } from '#web/identity/auth/check-inbox.tsx';
import { CodeForm } from '#web/identity/auth/code-form.tsx';
import { readEntry, requireSignedOut, type EntrySearch } from '#web/identity/auth/guards.ts';

export const Route = createFileRoute('/sign-in/code')({
  validateSearch: checked<EntrySearch>(readEntry),
  beforeLoad: async ({ context, search }) => {
    await requireSignedOut(context.queryClient, search.next);
    if (search.email === undefined)
      throw redirect({ to: '/sign-in', search: compact({ next: search.next }) });
  },
  component: SignInWithCode,
});

function SignInWithCode() {
  const { t } = useTranslation('auth');
  const { email = '', next } = Route.useSearch();
  const router = useRouter();
  const navigate = Route.useNavigate();
  return (
    <AuthFrame
      title={t('code.title')}
      below={
        <LinkAnchor to="/sign-in" search={compact({ next, email })} underline="always">
          {t('code.otherAddress')}
        </LinkAnchor>
      }
    >
      <Stack gap="md">
        <Text className="break">{t('code.sent', { email })}</Text>
        <CodeForm
          email={email}
          onCode={async (code) => {
            if ((await signInWithCode(code)) === 'signed_in') router.history.push(next ?? '/');
            else await navigate({ to: '/sign-in/second-factor', search: { next: next ?? '/' } });
          }}
        />
        <LocalMailboxLink />
      </Stack>
    </AuthFrame>
  );
}
