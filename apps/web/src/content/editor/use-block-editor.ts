import { brandShades } from '@reachout/contract/rules/brand-colors.ts';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldsQuery } from '#web/content/collections/item-queries.ts';
import type { TagSources } from '#web/content/templates/merge-tags.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { inSection, kindOf, levelOfSource, writeBlock, type OfferedBlock } from './blocks.ts';
import type { Point } from './canvas/canvas-document.ts';
import type { FoundPlace } from './canvas/find-place.ts';
import type { CanvasTexts } from './canvas/mark-source.ts';
import type { DocumentStore, Snapshot } from './document-store.ts';
import { listFieldsOf } from './list-fields.ts';
import type { Splice } from './source/attributes.ts';
import {
  duplicateBlock,
  insertBlock,
  isContainer,
  listBlocks,
  moveBlock,
  placeBehind,
  placesFor,
  removeBlock,
  type Edit,
  type Located,
  type Place,
} from './source/operations.ts';
import { isEditableText } from './text/text-editor.tsx';

export interface EditedDocument {
  store: DocumentStore;
  snapshot: Snapshot;
  problems: readonly TemplateProblem[];
  brandId: string | undefined;
  sources: TagSources | undefined;
  readOnly: boolean;
}

type NewPlace = Pick<FoundPlace, 'place' | 'needsSection'>;

export type BlockEditor = ReturnType<typeof useBlockEditor>;

/** A document with its blocks, the one that is selected, and what can be done to them. */
export function useBlockEditor(document: EditedDocument) {
  const { t } = useTranslation('editor');
  const { store, snapshot, readOnly } = document;
  const { parsed, source } = snapshot;
  const [typing, setTyping] = useState<{ at: Point | undefined; selection: number; count: number }>();
  /** Was dropped or pasted for the selected image. */
  const [file, setFile] = useState<File>();
  const [said, setSaid] = useState('');
  const texts = useTexts(document.brandId);
  const itemFields = useItemFields(document.sources?.content?.collection);
  const blocks = useMemo(() => listBlocks(parsed), [parsed]);
  const index = blocks.findIndex(({ node }) => node.start === snapshot.selected);
  const block = blocks[index];

  const write = (offered: OfferedBlock) => writeBlock(offered, parsed, t, itemFields);
  const nameOf = ({ node }: Located) => t(`kind.${kindOf(node, source)}`);
  /** Edits the text of the selected block. */
  const editText = (at?: Point) =>
    setTyping({ at, selection: store.read().selection, count: (typing?.count ?? 0) + 1 });
  const leaveText = () => setTyping(undefined);
  const canEdit = (one: Located) => !readOnly && isText(one, source);
  const select = (one: Located) => {
    leaveText();
    store.select(one.node.start);
  };
  /** Selects a block, and edits its text if it has one. */
  const enter = (one: Located, at?: Point) => {
    select(one);
    if (canEdit(one)) editText(at);
  };
  /** Enters the next text in a direction. @returns whether there is one */
  const step = (by: 1 | -1): boolean => {
    const others = by > 0 ? blocks.slice(index + 1) : blocks.slice(0, Math.max(index, 0)).toReversed();
    const next = others.find(canEdit);
    if (next) enter(next);
    return next !== undefined;
  };
  const apply = (edit: Edit, words?: string) => {
    leaveText();
    setFile(undefined);
    store.apply(edit);
    if (words !== undefined) setSaid(words);
  };
  const move = (from: Located, place: Place | undefined) => {
    if (place) apply(moveBlock(parsed, from, place), t('moved', { block: nameOf(from) }));
  };
  const remove = (from: Located) => apply(removeBlock(parsed, from), t('removed', { block: nameOf(from) }));
  const duplicate = (from: Located) => apply(duplicateBlock(parsed, from));
  /** Behind the selected block, or at the end. */
  const placeOfNew = (level: ReturnType<typeof levelOfSource>): NewPlace | undefined => {
    const place = placeBehind(placesFor(parsed, level), block);
    if (place) return { place, needsSection: false };
    const outer = placeBehind(placesFor(parsed, 'section'), block);
    return outer && { place: outer, needsSection: level === 'content' };
  };
  const levelOfNew = (offered: OfferedBlock) => levelOfSource(write(offered));
  const add = (offered: OfferedBlock, found = placeOfNew(levelOfNew(offered))) => {
    if (!found) return;
    const { place, needsSection } = found;
    const written = write(offered);
    apply(
      insertBlock(parsed, place, needsSection ? inSection(written) : written),
      t('inserted', { block: t(`kind.${offered}`) }),
    );
    const now = store.read();
    const inserted = listBlocks(now.parsed).find(
      ({ node }) => node.start >= (now.selected ?? 0) && (!needsSection || !isContainer(node)),
    );
    if (!inserted || offered === 'header' || offered === 'footer') return;
    if (needsSection) store.select(inserted.node.start);
    // A new text is written at once.
    if (isText(inserted, now.source)) editText();
  };
  /** Changes settings of a block. */
  const set = (splices: Splice[]) => store.apply({ splices }, 'setting');
  const addImage = (image: File, found?: NewPlace) => {
    add('image', found);
    setFile(image);
  };

  const element = block?.node.kind === 'element' ? block.node : undefined;
  // Another block may have been selected from outside, such as from a list of problems.
  const isTyping = typing?.selection === snapshot.selection && block !== undefined && canEdit(block);
  const edited = isTyping && element ? { element, at: typing.at, count: typing.count } : undefined;
  const state = { ...document, parsed, texts, blocks, block, index, edited, file, said, nameOf, canEdit };
  const commands = {
    select,
    enter,
    leaveText,
    step,
    move,
    remove,
    duplicate,
    levelOfNew,
    add,
    addImage,
    set,
  };
  return { ...state, ...commands, onFileDone: () => setFile(undefined) };
}

function isText({ node }: Pick<Located, 'node'>, source: string): boolean {
  if (node.kind !== 'element' || node.isUnclosed || node.isSelfClosing) return false;
  if (node.name !== 'mj-text' && node.name !== 'mj-button') return false;
  return isEditableText(source.slice(node.contentStart, node.contentEnd), node.name === 'mj-button');
}

/** The fields of a list of content items; undefined until their collection is chosen. */
function useItemFields(collection: string | undefined) {
  const scope = useOrganization();
  const { data } = useQuery({
    ...fieldsQuery(scope, collection ?? ''),
    enabled: collection !== undefined && scope.can('read', 'Content'),
  });
  return data && listFieldsOf(data.data);
}

/** What the canvas shows for merge tags. */
function useTexts(brandId: string | undefined): CanvasTexts {
  const { api, can } = useOrganization();
  const { data: brand } = useQuery(
    api.brands.get.queryOptions({
      input: { id: brandId ?? '' },
      enabled: brandId !== undefined && can('read', 'Brand'),
    }),
  );
  return useMemo(() => {
    const shades = brandShades[brand?.color ?? 'blue'].light;
    return {
      values: {
        'brand.color': shades.fill,
        'brand.tint': shades.tint,
        'brand.name': brand?.name ?? '',
        'brand.logo_url': brand?.logo_url ?? '',
      },
      nameOf: (path) => path.replace(/^(?:contact|item)\./, '').replaceAll(/[._]/g, ' '),
    };
  }, [brand]);
}
