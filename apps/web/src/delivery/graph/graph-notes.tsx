import { Alert, Stack } from '@mantine/core';
import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import { toConnections } from '@reachout/contract/rules/connections.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checkGraph } from './graph-checks.ts';
import { useBrandTouchpoints } from './graph-queries.ts';

/** What does not end by itself, waits for a touchpoint that is not active, or is reached by nothing. */
export function GraphNotes({
  events,
  place,
}: {
  events: readonly TouchpointEvent[];
  place: Pick<TouchpointEvent, 'campaign' | 'brand'>;
}) {
  const { t } = useTranslation('eventGraph');
  const { orgId } = useOrganization();
  const { data } = useBrandTouchpoints(place.brand.id);
  if (!data) return null;
  const { loops, ...touchpoints } = checkGraph(toConnections(events), data, place.campaign.id);
  const notes = (['waiting', 'silent', 'unreached'] as const).flatMap((note) =>
    touchpoints[note].map((touchpoint) => ({ note, ...touchpoint })),
  );
  if (loops.length + notes.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={t('notes.title')} mb="md">
      <Stack gap={4} component="ul" className="bare">
        {loops.map((loop) => (
          <li key={loop.join()} className="break">
            {t('notes.loop', { path: loop.join(' → ') })}
          </li>
        ))}
        {notes.map(({ note, id, name }) => (
          <li key={`${note} ${id}`} className="break">
            <LinkAnchor
              underline="always"
              to="/o/$orgId/touchpoints/$touchpointId"
              params={{ orgId, touchpointId: id }}
            >
              {name}
            </LinkAnchor>{' '}
            {t(`notes.${note}`)}
          </li>
        ))}
      </Stack>
    </Alert>
  );
}
