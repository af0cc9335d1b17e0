import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/identity/account/me-query.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { loadSettingsTexts } from '#web/i18n/i18n.ts';
import { OperatorNavigation } from '#web/identity/operators/operator-navigation.tsx';
import { preload } from '#web/platform/preload.ts';
import { AccountFrame } from '#web/shell/account-frame.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ForbiddenState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/operator')({
  beforeLoad: async ({ context, location }) => {
    await requireSession(context.queryClient, location.href);
    await loadSettingsTexts();
  },
  loader: () => preload(async () => [(await import('#web/identity/account/me-query.ts')).meQuery]),
  component: Operator,
});

/** The pages of operators of the installation; others learn why they see nothing. */
function Operator() {
  const { t } = useTranslation('operator');
  const query = useQuery(meQuery);
  return (
    <AccountFrame navigation={query.data?.is_operator === true ? <OperatorNavigation /> : undefined}>
      <AsyncRegion page query={query} what={t('navigation')}>
        {({ is_operator }) => (is_operator ? <Outlet /> : <Denied />)}
      </AsyncRegion>
    </AccountFrame>
  );
}

function Denied() {
  const { t } = useTranslation(['operator', 'common']);
  useDocumentTitle(`${t('navigation')} · ${t('common:product')}`);
  return <ForbiddenState text={t('denied')} />;
}
