import { createFileRoute } from '@tanstack/react-router';
import { requireSession } from '#web/identity/auth/guards.ts';
import { loadSettingsTexts } from '#web/i18n/i18n.ts';
import { OperatorFrame } from '#web/operations/operator/operator-frame.tsx';
import { preload } from '#web/platform/preload.ts';

export const Route = createFileRoute('/operator')({
  beforeLoad: async ({ context, location }) => {
    await requireSession(context.queryClient, location.href);
    await loadSettingsTexts();
  },
  loader: () => preload(async () => [(await import('#web/identity/account/me-query.ts')).meQuery]),
  component: OperatorFrame,
});
