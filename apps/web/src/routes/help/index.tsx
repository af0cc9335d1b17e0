import { createFileRoute } from '@tanstack/react-router';
import { HelpHome } from '#web/operations/help/help-home.tsx';
import { checked, readListSearch } from '#web/platform/list-search.ts';

export const Route = createFileRoute('/help/')({
  validateSearch: checked(({ search }): { search?: string } => readListSearch({ search })),
  component: () => <HelpHome search={Route.useSearch().search ?? ''} />,
});
