import { createFileRoute, Outlet } from '@tanstack/react-router';
import { loadSettingsTexts } from '#web/i18n/i18n.ts';
import { MailboxFrame } from '#web/operations/mailbox/mailbox-frame.tsx';
import { resolveSession } from '#web/identity/auth/session.ts';

export const Route = createFileRoute('/mailbox')({
  beforeLoad: async ({ context }) => {
    await Promise.all([loadSettingsTexts(), resolveSession(context.queryClient).catch(() => undefined)]);
  },
  component: () => (
    <MailboxFrame>
      <Outlet />
    </MailboxFrame>
  ),
});
