import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/help/faq')({
  beforeLoad: () => {
    throw redirect({ to: '/help', hash: 'questions', replace: true });
  },
});
