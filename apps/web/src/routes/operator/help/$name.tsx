import { createFileRoute } from '@tanstack/react-router';
import { EditPage } from '#web/operations/help/edit-entry.tsx';

export const Route = createFileRoute('/operator/help/$name')({
  component: () => {
    const { name } = Route.useParams();
    // A form of its own for each.
    return <EditPage key={name} name={name} />;
  },
});
