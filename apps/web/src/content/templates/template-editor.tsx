import { Alert, Anchor, Button, Group } from '@mantine/core';
import type { Template } from '@reachout/contract/templates.ts';
import { keepPreviousData, useQuery, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadMailEditor } from '#web/content/editor/load-mail-editor.ts';
import { MailEditorSkeleton } from '#web/content/editor/mail-editor-skeleton.tsx';
import type { MailEditorHandle } from '#web/content/editor/mail-editor.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { compact } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { useSettled } from '#web/ui/debounce.ts';
import { SaveBar } from '#web/ui/save-bar.tsx';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { refresh } from '#web/platform/query-client.ts';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useExampleContacts } from './use-example-contacts.ts';
import { ProblemList } from './problem-list.tsx';
import { TemplatePreview } from './template-preview.tsx';

const MailEditor = lazyPart(loadMailEditor, { fallback: <MailEditorSkeleton /> });

interface Props {
  template: Template;
  /** Line of the source to show initially. */
  startLine?: number | undefined;
  /** Resets the editor to the stored template, discarding the user's changes for those of another user. */
  onReload: () => Promise<void>;
}

/** The editor of a template, with the server's rendering of it. */
export function TemplateEditor({ template, startLine, onReload }: Props) {
  const { t } = useTranslation(['templates', 'common']);
  const { api, orgId, can } = useOrganization();
  const canEdit = can('update', 'Template');
  const [mjml, setMjml] = useState(template.mjml);
  const [stored, setStored] = useState({
    mjml: template.mjml,
    at: template.date_updated,
    savedHere: false,
  });
  const [shown, setShown] = useState<{ collection: string | undefined; id: string | undefined }>();
  const [list, setList] = useState<string>();
  const [chosenBrand, setBrand] = useState<string>();
  const hasBrand = template.brand !== null;
  const brands = useQuery(
    api.brands.list.queryOptions({
      input: compact({ organization_id: orgId, client_id: template.client?.id, page: 0, page_size: 100 }),
      enabled: !hasBrand && can('read', 'Brand'),
    }),
  );
  // A template of several brands is shown as one of them would send it.
  const brand = template.brand?.id ?? chosenBrand ?? brands.data?.items[0]?.id;
  const sources = { brandId: brand, filterId: null, contacts: list };
  const { collection, lists, isLoading } = useExampleContacts(sources, !brands.isLoading);
  // A contact of one list is none of another.
  const contact = shown?.collection === collection ? shown?.id : undefined;
  const settled = useSettled(mjml);
  const editor = useRef<MailEditorHandle>(null);
  const dirty = canEdit && mjml !== stored.mjml;

  const preview = useQuery(
    api.templates.preview.queryOptions({
      input: compact({
        organization_id: orgId,
        mjml: settled,
        brand_id: brand,
        contact_id: contact,
        collection,
      }),
      enabled: !brands.isLoading && !isLoading,
      placeholderData: keepPreviousData,
      // Each keystroke has its own query key; their results need not stay cached.
      gcTime: 5_000,
      meta: { quiet: true },
    }),
  );
  const problems = preview.data?.problems ?? [];

  const update = useMutation(
    api.templates.update.mutationOptions({
      // Updates the cached version before any refetch: the next save must not mistake it for another user's change.
      meta: { refreshes: false },
      onSuccess: async (saved, sent) => {
        setStored({ mjml: sent.mjml ?? mjml, at: saved.date_updated, savedHere: true });
        await refresh(orgId);
      },
    }),
  );
  const save = (overwrite = false): Promise<boolean> => {
    const before = overwrite ? {} : { if_date_updated: stored.at };
    const saving = update.mutateAsync({ organization_id: orgId, id: template.id, mjml, ...before });
    return saving.then(
      () => true,
      () => false,
    );
  };
  const conflict = isProblem(update.error) && update.error.code === 'changed_elsewhere';

  return (
    <>
      <UnsavedGuard dirty={dirty} saving={update.isPending} onSave={save} />
      {conflict ? (
        <Alert color="yellow" mb="md" role="alert" title={t('changedElsewhere')}>
          <Group gap="xs">
            <Button size="xs" onClick={() => void save(true)}>
              {t('words.keepMyVersion')}
            </Button>
            <Button size="xs" onClick={() => void onReload()}>
              {t('words.loadTheirVersion')}
            </Button>
          </Group>
        </Alert>
      ) : (
        <ActionError error={update.error} title={t('common:error.saveFailed')} />
      )}
      <MailEditor
        initial={template.mjml}
        onChange={setMjml}
        problems={problems}
        brandId={brand}
        sources={sources}
        readOnly={!canEdit}
        startLine={startLine}
        handle={editor}
        preview={
          <TemplatePreview
            query={preview}
            brands={brands.data?.items ?? []}
            brand={brand}
            onBrand={setBrand}
            lists={lists}
            collection={collection}
            onList={setList}
            contact={contact}
            onContact={(id) => setShown({ collection, id })}
          />
        }
      />
      {preview.data && problems.length === 0 ? (
        <QuietText mt="sm" role="status">
          {t('problems.none')}
        </QuietText>
      ) : (
        <ProblemList
          problems={problems}
          linkTo={({ line }, words) =>
            line !== null && (
              <Anchor component="button" type="button" onClick={() => editor.current?.goTo(line)}>
                {words}
              </Anchor>
            )
          }
        />
      )}
      <SaveBar
        changes={dirty ? 1 : 0}
        saving={update.isPending}
        savedAt={stored.savedHere ? stored.at : undefined}
        onSave={() => void save()}
        onDiscard={() => editor.current?.replace(stored.mjml)}
      />
    </>
  );
}
