import { hasImportEnded } from '@reachout/contract/states/import.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { refresh } from '#web/platform/query-client.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { ImportProgress } from './import-progress.tsx';

const pollMs = 1_000;

/** The last step of an import. */
export function RunningImport({ id, onAgain }: { id: string; onAgain: () => void }) {
  const { t } = useTranslation('collections');
  const { api, orgId } = useOrganization();
  const query = useQuery(
    api.content.getImport.queryOptions({
      input: { organization_id: orgId, id },
      meta: { quiet: true },
      refetchInterval: ({ state }) => {
        if (!state.data || !hasImportEnded(state.data)) return pollMs;
        return false;
      },
      refetchIntervalInBackground: true,
    }),
  );
  // A small file may have ended before the first look.
  useOnChange(query.data !== undefined && hasImportEnded(query.data), () => void refresh(orgId));
  return (
    <AsyncRegion query={query} what={t('csv.steps.run')}>
      {(entry) => <ImportProgress entry={entry} onAgain={onAgain} />}
    </AsyncRegion>
  );
}
