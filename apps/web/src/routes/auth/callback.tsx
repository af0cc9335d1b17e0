import { Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { loadAuthTexts } from '#web/i18n/i18n.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { checked } from '#web/platform/list-search.ts';
import { isCallbackReason } from '#web/identity/auth/callback-reason.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { FinePrint } from '#web/ui/text.ts';

export const Route = createFileRoute('/auth/callback')({
  validateSearch: checked((raw) => ({
    error: typeof raw['error'] === 'string' ? raw['error'].toLowerCase().slice(0, 100) : '',
  })),
  beforeLoad: loadAuthTexts,
  component: Callback,
});

/** The page to which a failed sign-in through a provider redirects. */
function Callback() {
  const { t } = useTranslation('auth');
  const { error } = Route.useSearch();
  return (
    <AuthFrame title={t('callback.title')}>
      <Stack gap="md">
        <Text role="alert">
          {isCallbackReason(error) ? t(`callback.reasons.${error}`) : t('callback.unknown')}
        </Text>
        {error !== '' && !isCallbackReason(error) && (
          <FinePrint className="break">{t('callback.code', { code: error })}</FinePrint>
        )}
        <LinkButton variant="filled" to="/sign-in">
          {t('backToSignIn')}
        </LinkButton>
      </Stack>
    </AuthFrame>
  );
}
