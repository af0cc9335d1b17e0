import { createFileRoute } from '@tanstack/react-router';
import { EditQuestion } from '#web/operations/help/edit-entry.tsx';

export const Route = createFileRoute('/operator/help/$category/$name')({
  component: () => {
    const { category, name } = Route.useParams();
    return <EditQuestion key={`${category} ${name}`} category={category} name={name} />;
  },
});
