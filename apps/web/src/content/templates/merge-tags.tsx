import { ActionIcon, Button, Group, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import { IconBraces } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { emptyOperatorOf, kindOf } from '#web/content/rules/rule.ts';
import { isRichText } from '#web/content/collections/field-kind.ts';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { fieldsQuery, itemQuery } from '#web/content/collections/item-queries.ts';
import { mergeTagOf } from '#web/content/editor/source/liquid.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FinePrint } from '#web/ui/text.ts';
import { useExampleContacts } from './use-example-contacts.ts';
import { valueText } from '#web/ui/value-text.ts';

/** Variables of the Liquid context besides the contact. */
const tags = [
  'brand.name',
  'brand.color',
  'brand.tint',
  'brand.logo_url',
  'brand.dark_logo_url',
  'brand.postal_address',
  'brand.imprint',
  'brand.imprint_url',
  'client.name',
  'campaign.name',
  'organization.name',
  'links.unsubscribe',
  'links.preferences',
  'links.view_in_browser',
] as const;

interface Props {
  /** Inserts a tag at the cursor, such as `{{ contact.first_name }}`. */
  onInsert: (tag: string) => void;
  /** Without them, no contacts are counted, and no content items are offered. */
  sources?: TagSources | undefined;
  /** Shows an icon only. */
  isSmall?: boolean;
}

/** What the merge tags of an email read. */
export interface TagSources {
  brandId: string | undefined;
  /** The audience whose contacts are counted; null counts all contacts of the brand. */
  filterId: string | null;
  /** The collection of contacts, if the user chose one. */
  contacts?: string | undefined;
  /** The collection of its content items, and the key of the chosen one. */
  content?: { collection: string; itemId: string | null };
}

/** All fields of contacts and other merge tags: a field asks for what to write where it is empty. */
export function MergeTags({ onInsert, sources, isSmall = false }: Props) {
  const { t } = useTranslation(['templates', 'common']);
  const scope = useOrganization();
  const label = useFieldLabel();
  const [opened, setOpened] = useState(false);
  const [search, setSearch] = useState('');
  const [field, setField] = useState<Field>();
  const { collection } = useExampleContacts(sources, opened);
  const fields = useQuery({ ...fieldsQuery(scope, collection ?? ''), enabled: collection !== undefined });
  const toggle = (open: boolean) => {
    setOpened(open);
    setField(undefined);
    setSearch('');
  };
  const insert = (tag: string) => {
    toggle(false);
    onInsert(tag);
  };
  const matches = (words: string) => words.toLowerCase().includes(search.trim().toLowerCase());
  const button = {
    onClick: () => toggle(!opened),
    'aria-haspopup': 'dialog',
    'aria-expanded': opened,
  } as const;
  return (
    <Popover width={300} position="bottom-start" shadow="md" trapFocus opened={opened} onChange={toggle}>
      <Popover.Target>
        {isSmall ? (
          <ActionIcon aria-label={t('mergeTags')} title={t('mergeTags')} {...button}>
            <IconBraces size={18} />
          </ActionIcon>
        ) : (
          <Button size="xs" leftSection={<IconBraces size={16} />} {...button}>
            {t('mergeTags')}
          </Button>
        )}
      </Popover.Target>
      <Popover.Dropdown aria-label={t('mergeTags')}>
        {field === undefined ? (
          <>
            <TextInput
              mb="xs"
              size="xs"
              aria-label={t('mergeTagsSearch')}
              placeholder={t('mergeTagsSearch')}
              value={search}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            />
            <ScrollArea.Autosize mah={360} type="auto">
              <Stack gap={4}>
                {(fields.data?.data ?? [])
                  .filter((one) => matches(`${label(one)} ${one.field}`))
                  .map((one) => (
                    <Choice key={one.field} words={label(one)} onClick={() => setField(one)} />
                  ))}
                {sources?.content && (
                  <ItemTags content={sources.content} matches={matches} onInsert={insert} />
                )}
                {tags.filter(matches).map((tag) => (
                  <Choice key={tag} words={tag} isCode onClick={() => insert(`{{ ${tag} }}`)} />
                ))}
              </Stack>
            </ScrollArea.Autosize>
          </>
        ) : (
          <Fallback
            field={field}
            sources={sources}
            collection={collection}
            onBack={() => setField(undefined)}
            onInsert={insert}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The fields of content items, with the values of the chosen one. */
function ItemTags({
  content: { collection, itemId },
  matches,
  onInsert,
}: {
  content: NonNullable<TagSources['content']>;
  matches: (words: string) => boolean;
  onInsert: (tag: string) => void;
}) {
  const { t } = useTranslation('templates');
  const scope = useOrganization();
  const label = useFieldLabel();
  const fields = useQuery({ ...fieldsQuery(scope, collection), enabled: scope.can('read', 'Content') });
  const item = useQuery(itemQuery(scope, collection, scope.can('read', 'Content') ? itemId : null));
  const noteOf = (field: string, isHtml: boolean) => {
    if (item.data === undefined) return undefined;
    const value = valueText(item.data[field]);
    const text = isHtml ? value.replaceAll(/<[^>]*>|&nbsp;/g, ' ').trim() : value;
    return text === '–' || text.trim() === '' ? t('mergeTagsNoValue') : text;
  };
  return (fields.data?.data ?? [])
    .map((field) => ({
      field: field.field,
      isRichText: isRichText(field),
      words: t('mergeTagsItem', { field: label(field) }),
    }))
    .filter(({ words, field }) => matches(`${words} item.${field}`))
    .map(({ field, words, isRichText: isHtml }) => (
      <Choice
        key={`item.${field}`}
        words={words}
        note={noteOf(field, isHtml)}
        onClick={() => onInsert(mergeTagOf(`item.${field}`, isHtml))}
      />
    ));
}

function Choice({
  words,
  note,
  isCode = false,
  onClick,
}: {
  words: string;
  /** A value, shown beside. */
  note?: string | undefined;
  isCode?: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      fullWidth
      justify={note === undefined ? 'flex-start' : 'space-between'}
      rightSection={
        note !== undefined && (
          <FinePrint span maw={110} truncate>
            {note}
          </FinePrint>
        )
      }
      {...(isCode ? { ff: 'monospace' } : {})}
      onClick={onClick}
    >
      {words}
    </Button>
  );
}

interface FallbackProps {
  field: Field;
  sources: TagSources | undefined;
  /** The contacts that have the field. */
  collection: string | undefined;
  onBack: () => void;
  onInsert: (tag: string) => void;
}

/** Asks what to write for contacts without a value, and says how many there are. */
function Fallback({ field, sources, collection, onBack, onInsert }: FallbackProps) {
  const { t } = useTranslation(['templates', 'common']);
  const label = useFieldLabel();
  const [fallback, setFallback] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const empty = useEmptyCount(field, sources, collection);
  const insert = () => {
    // Liquid has no way to write a quotation mark within quoted text.
    const words = fallback.trim().replaceAll('"', '”').replaceAll(/[{}]/g, '');
    const value = `contact.${field.field}${words === '' ? '' : ` | default: "${words}"`}`;
    onInsert(mergeTagOf(value, isRichText(field)));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The form of the email is around this one in React.
        event.stopPropagation();
        insert();
      }}
    >
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {label(field)}
        </Text>
        {empty && (
          <Text size="xs" c={empty.empty > 0 ? 'var(--app-warning)' : 'dimmed'} role="status">
            {t('mergeTagsEmpty', { count: empty.empty, total: empty.total })}
          </Text>
        )}
        <TextInput
          size="xs"
          ref={input}
          label={t('mergeTagsFallback')}
          value={fallback}
          onChange={({ currentTarget }) => setFallback(currentTarget.value)}
        />
        <Group gap="xs">
          <Button variant="filled" size="xs" type="submit">
            {t('words.insert')}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={onBack}>
            {t('common:actions.back')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** @returns how many recipients have no value, and how many there are; undefined if nobody is to be counted */
function useEmptyCount(field: Field, sources: TagSources | undefined, collection: string | undefined) {
  const { api, orgId, can } = useOrganization();
  const filterId = sources?.filterId ?? null;
  const filter = useQuery(
    api.filters.get.queryOptions({ input: { id: filterId ?? '' }, enabled: filterId !== null }),
  );
  const { rule = {}, field_mapping } = filter.data ?? {};
  const base = {
    organization_id: orgId,
    ...(sources?.brandId !== undefined && { brand_id: sources.brandId }),
    ...(collection !== undefined && { collection }),
    field_mapping: field_mapping ?? { email: 'email', unsubscribed: null },
  };
  const enabled =
    sources !== undefined &&
    (filterId === null || filter.data !== undefined) &&
    can('read', 'Filter') &&
    can('read', 'Content');
  const isEmpty = { [field.field]: { [emptyOperatorOf(kindOf(field.type))]: true } };
  const all = useQuery(
    api.filters.count.queryOptions({ input: { ...base, rule }, enabled, meta: { quiet: true } }),
  );
  const empty = useQuery(
    api.filters.count.queryOptions({
      input: { ...base, rule: Object.keys(rule).length === 0 ? isEmpty : { _and: [rule, isEmpty] } },
      enabled,
      meta: { quiet: true },
    }),
  );
  if (all.data === undefined || empty.data === undefined) return undefined;
  return { empty: empty.data.will_receive, total: all.data.will_receive };
}
