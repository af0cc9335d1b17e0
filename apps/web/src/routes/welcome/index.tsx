import { createFileRoute, redirect } from '@tanstack/react-router';
import { leftOffAt } from '#web/operations/onboarding/welcome-steps.ts';

export const Route = createFileRoute('/welcome/')({
  beforeLoad: () => {
    const left = leftOffAt();
    throw redirect({
      to: '/welcome/$step',
      params: { step: left?.step ?? 'organization' },
      search: left ? { organization: left.organization } : {},
      replace: true,
    });
  },
});
