import { Button, Stack } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { ImportDetails, RejectionKind } from '@reachout/contract/content-imports.ts';
import { isImportMoving } from '@reachout/contract/states/import.ts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { hasSubscriptions } from '#web/content/collections/contact-fields.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { ImportProgress } from './import-progress.tsx';

const pollMs = 1_000;

export const importQuery = ({ api, orgId }: OrganizationContext, id: string) =>
  api.content.getImport.queryOptions({
    input: { organization_id: orgId, id },
    meta: { quiet: true },
    refetchInterval: ({ state }) => (!state.data || isImportMoving(state.data) ? pollMs : false),
    refetchIntervalInBackground: true,
  });

interface Props {
  entry: ImportDetails;
  fields: readonly Field[];
  /** Returns to the column mapping if this browser still has the file, otherwise to the file selection. */
  onBack: () => void;
  onAgain: () => void;
}

/** The last two steps of an import: the result of the check, and that of the import. */
export function RunningImport({ entry, fields, onBack, onAgain }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const nameOf = useCollectionName();
  const { api, orgId } = useOrganization();
  const start = useMutation(api.content.startImport.mutationOptions());
  const drop = useMutation(api.content.cancelImport.mutationOptions());
  const { collection } = entry;
  const key = { organization_id: orgId, id: entry.id };
  const rows = entry.rows_done - entry.rejected_count;
  return (
    <Stack gap="md">
      <ImportProgress entry={entry} fields={fields}>
        {entry.status === 'checked' ? (
          <>
            <Button
              variant="filled"
              loading={start.isPending}
              disabled={rows === 0}
              onClick={() => start.mutate(key)}
            >
              {t('csv.start', { count: rows })}
            </Button>
            <Button loading={drop.isPending} onClick={() => drop.mutate(key, { onSuccess: onBack })}>
              {t('csv.back')}
            </Button>
          </>
        ) : hasSubscriptions(fields) ? (
          <LinkButton variant="filled" to="/o/$orgId/contacts" params={{ orgId }} search={{ collection }}>
            {t('csv.see', { name: nameOf(collection) })}
          </LinkButton>
        ) : (
          <LinkButton variant="filled" to="/o/$orgId/collections/$collection" params={{ orgId, collection }}>
            {t('csv.see', { name: nameOf(collection) })}
          </LinkButton>
        )}
        <Download entry={entry} kind="rejected" />
        <Download entry={entry} kind="left_out" />
        {entry.status !== 'checked' && (
          <Button variant="subtle" onClick={onAgain}>
            {t('csv.again')}
          </Button>
        )}
      </ImportProgress>
      <ActionError error={start.error ?? drop.error} />
    </Stack>
  );
}

/** The rejected rows, or those of which values were left out, in the format of the file. */
function Download({ entry, kind }: { entry: ImportDetails; kind: RejectionKind }) {
  const { t, i18n } = useTranslation('collections');
  const { orgId } = useOrganization();
  if (entry[`${kind}_count`] === 0) return null;
  return (
    <Button
      component="a"
      leftSection={<IconDownload size={16} />}
      href={`/api/content/${orgId}/imports/${entry.id}/rejected?kind=${kind}&language=${i18n.language}`}
      download
    >
      {t(`csv.download.${kind}`)}
    </Button>
  );
}
