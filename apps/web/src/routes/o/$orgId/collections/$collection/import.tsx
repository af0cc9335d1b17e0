import { Text } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import { openImportStatuses } from '@reachout/contract/states/import.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { hasSubscriptions } from '#web/content/collections/contact-fields.ts';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionCrumbs, useCollectionName } from '#web/content/collections/collection-name.ts';
import { fieldsQuery } from '#web/content/collections/item-queries.ts';
import { ChooseColumns } from '#web/contacts/imports/choose-columns.tsx';
import { ChooseFile, type ChosenFile } from '#web/contacts/imports/choose-file.tsx';
import { fieldsOfNewContacts, type ImportTarget } from '#web/contacts/imports/import-target.ts';
import { ImportSteps } from '#web/contacts/imports/import-steps.tsx';
import { importQuery, RunningImport } from '#web/contacts/imports/running-import.tsx';
import { useImportTarget } from '#web/contacts/imports/use-import-target.ts';
import { WhoseContacts } from '#web/contacts/imports/whose-contacts.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { BackToEmail } from '#web/outreach/new-email/back-to-email.tsx';
import { checked, compact, readUuid } from '#web/platform/list-search.ts';
import { refresh } from '#web/platform/query-client.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Loading, RowsSkeleton } from '#web/ui/skeletons.tsx';
import { ForbiddenState } from '#web/ui/states.tsx';

interface Search {
  /** A started import, so that it is found again after leaving the page. */
  run?: string;
  /** The email that the contacts are for, for the link back to it. */
  email?: string;
}

const readSearch = checked((raw): Search =>
  compact({ run: readUuid(raw['run']), email: readUuid(raw['email']) }),
);

export const Route = createFileRoute('/o/$orgId/collections/$collection/import')({
  beforeLoad: loadContactTexts,
  validateSearch: readSearch,
  loader: ({ context, params }) =>
    context.preload((scope) => [scope.can('create', 'Content') && fieldsQuery(scope, params.collection)]),
  component: ImportPage,
});

function ImportPage() {
  const { t } = useTranslation('collections');
  const { collection } = Route.useParams();
  const { run, email } = Route.useSearch();
  const scope = useOrganization();
  const { orgId } = scope;
  const navigate = Route.useNavigate();
  const nameOf = useCollectionName();
  const [chosen, setChosen] = useState<ChosenFile>();
  const whose = useImportTarget(collection, email);
  const [isAsked, setAsked] = useState(false);
  const whoseField = useRef<HTMLInputElement>(null);
  const target: ImportTarget | undefined =
    whose === undefined || run !== undefined ? { collection } : whose.chosen?.target;
  const known = target !== undefined && 'collection' in target ? target.collection : undefined;
  const fields = useQuery({
    ...fieldsQuery(scope, known ?? collection),
    enabled: known !== undefined,
  });
  const hasContacts = whose !== undefined || hasSubscriptions(fields.data?.data ?? []);
  const crumbs = useCollectionCrumbs(collection, hasContacts);
  const started = useQuery({ ...importQuery(scope, run ?? ''), enabled: run !== undefined });
  const status = run === undefined ? undefined : started.data?.status;
  useOnChange(status !== undefined && !openImportStatuses.includes(status), () => void refresh(orgId));
  const hasNoList = whose?.isNoneThere === true;
  if (!scope.can('create', 'Content')) return <ForbiddenState />;
  const columns = (chosenFile: ChosenFile, all: readonly Field[]) => (
    <ChooseColumns
      // The columns of one collection may have no fields in another.
      key={whose?.chosen?.key ?? collection}
      target={target}
      chosen={chosenFile}
      fields={all.filter((field) => !field.readonly && field.field !== 'id')}
      onTargetMissing={() => {
        setAsked(true);
        whoseField.current?.focus();
      }}
      onSample={(sample) => setChosen({ ...chosenFile, sample })}
      onOther={() => setChosen(undefined)}
      onStarted={({ id, collection: into }) => {
        // The import may have created its collection.
        void refresh(orgId);
        void navigate({
          params: { orgId, collection: into },
          search: compact({ run: id, email }),
          // The upload is complete.
          ignoreBlocker: true,
        });
      }}
    />
  );
  return (
    <>
      <PageHeader
        title={
          whose === undefined || run !== undefined
            ? t('csv.title', { name: nameOf(collection) })
            : t('csv.contactsTitle')
        }
        section={hasContacts ? t('words.contacts') : t('words.collections')}
        crumbs={crumbs}
        primary={email !== undefined && <BackToEmail email={email} isNext={status === 'completed'} />}
      />
      <ImportSteps hasFile={chosen !== undefined} isStarted={run !== undefined} status={status} />
      {whose !== undefined && run === undefined && !hasNoList && (
        <WhoseContacts
          {...whose}
          fieldRef={whoseField}
          error={isAsked && whose.chosen === undefined ? t('csv.whose.undecided') : undefined}
        />
      )}
      {run ? (
        <AsyncRegion query={started} what={t('csv.steps.run')}>
          {(entry) => (
            <RunningImport
              entry={entry}
              fields={fields.data?.data ?? []}
              onBack={() => void navigate({ search: compact({ email }) })}
              onAgain={() => {
                setChosen(undefined);
                void navigate({ search: compact({ email }) });
              }}
            />
          )}
        </AsyncRegion>
      ) : chosen && whose?.isReady === false ? (
        <Loading what={t('item.what')}>
          <RowsSkeleton rows={3} />
        </Loading>
      ) : chosen ? (
        known !== undefined ? (
          <AsyncRegion query={fields} what={t('item.what')}>
            {({ data }) => columns(chosen, data)}
          </AsyncRegion>
        ) : (
          columns(chosen, fieldsOfNewContacts)
        )
      ) : hasNoList ? (
        <Text>{t('csv.whose.none')}</Text>
      ) : (
        <ChooseFile onChosen={setChosen} />
      )}
    </>
  );
}
