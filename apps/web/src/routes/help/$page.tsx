import { createFileRoute } from '@tanstack/react-router';
import { HelpPage } from '#web/operations/help/help-page.tsx';

export const Route = createFileRoute('/help/$page')({
  component: () => <HelpPage name={Route.useParams().page} />,
});
