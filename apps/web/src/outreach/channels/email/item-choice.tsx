import { NumberInput, Select, Stack, Text } from '@mantine/core';
import { maxListedItems } from '@reachout/contract/rules/lengths.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { ItemSelect } from '#web/content/collections/item-select.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { useDebounced } from '#web/ui/debounce.ts';
import { FieldsSkeleton } from '#web/ui/page-skeletons.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { DraftStatus } from './draft-status.tsx';
import type { EmailDraft } from './email-draft.ts';

/** Selects the content item of an email, and how many of the newest ones it lists. Each choice is saved at once. */
export function ItemChoice({ draft }: { draft: EmailDraft }) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { api, orgId, can } = useOrganization();
  const { touchpoint, canEdit } = useTouchpoint();
  const nameOf = useCollectionName();
  const lists = useQuery(
    api.content.collections.queryOptions({
      input: { organization_id: orgId, brand_id: touchpoint.brand.id },
      enabled: can('read', 'Content'),
    }),
  );
  // The draft of the email refreshes what is shown, once it knows the new version.
  const update = useMutation(api.touchpoints.update.mutationOptions({ meta: { refreshes: false } }));
  if (!can('read', 'Content')) return <Text c="dimmed">{t('items.hidden')}</Text>;
  const { collection } = touchpoint;
  const choose = (next: string | null) =>
    draft
      .changeAround(() => update.mutateAsync({ id: touchpoint.id, collection: next }))
      .catch(() => undefined);
  return (
    <AsyncRegion query={lists} what={t('words.collection')} skeleton={<FieldsSkeleton fields={1} />}>
      {({ data }) => {
        // Contacts are recipients; they are only offered where they were chosen by a program.
        const offered = data.filter((list) => !list.has_contacts || list.collection === collection);
        const isKnown = collection === null || offered.some((list) => list.collection === collection);
        return (
          <Stack gap="md" maw={560} data-read-only={!canEdit || undefined}>
            <Select
              searchable
              clearable
              label={t('words.collection')}
              placeholder={t('items.none')}
              readOnly={!canEdit}
              // The sends of a planned email have items of this collection.
              disabled={update.isPending || touchpoint.is_planned}
              value={collection}
              onChange={(next) => void choose(next)}
              data={[
                ...offered.map((list) => ({ value: list.collection, label: nameOf(list.collection) })),
                ...(isKnown ? [] : [{ value: collection, label: collection }]),
              ]}
            />
            <ActionError error={update.error} title={t('common:error.saveFailed')} />
            {collection !== null && <Items key={collection} collection={collection} draft={draft} />}
          </Stack>
        );
      }}
    </AsyncRegion>
  );
}

function Items({ collection, draft }: { collection: string; draft: EmailDraft }) {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const { canEdit } = useTouchpoint();
  const { item_id: itemId, items_count: stored } = draft.email;
  const { isConflict, retries, setUnsaved } = draft;
  /** Undefined for the stored one. */
  const [typed, setTyped] = useState<number | string>();
  const isChanged = canEdit && typeof typed === 'number' && typed !== stored;
  const save = async (): Promise<boolean> => {
    if (!isChanged) return true;
    if ((await draft.save({ items_count: typed })) === undefined) return false;
    setTyped((now) => (now === typed ? undefined : now));
    return true;
  };
  const autosave = useDebounced(save);
  const follow = useEffectEvent((_typed: unknown, _retries: number) => {
    setUnsaved('items_count', isChanged ? save : undefined);
    if (isChanged && !isConflict) autosave();
  });
  useEffect(() => follow([isChanged, typed, isConflict], retries), [isChanged, typed, isConflict, retries]);
  useEffect(() => () => setUnsaved('items_count', undefined), [setUnsaved]);
  return (
    <>
      <ItemSelect
        collection={collection}
        label={t('items.item')}
        placeholder={t('items.choose')}
        readOnly={!canEdit}
        value={itemId}
        onChange={(item_id) => void draft.save({ item_id })}
      />
      {itemId !== null && (
        <LinkAnchor
          size="sm"
          to="/o/$orgId/collections/$collection"
          params={{ orgId, collection }}
          search={{ filter: { id: { _eq: itemId } } }}
        >
          {t('items.open')}
        </LinkAnchor>
      )}
      <NumberInput
        label={t('items.count')}
        description={t('items.countHint', { max: maxListedItems })}
        min={0}
        max={maxListedItems}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="strict"
        readOnly={!canEdit}
        value={typed ?? stored}
        onChange={setTyped}
        onBlur={() => typed === '' && setTyped(undefined)}
      />
      {canEdit && (
        <DraftStatus
          draft={draft}
          hasChanges={isChanged}
          isInvalid={false}
          onTakeTheirs={() => {
            setTyped(undefined);
            void draft.takeTheirs();
          }}
        />
      )}
    </>
  );
}
