import {
  Breadcrumbs,
  Button,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemList } from '#web/content/templates/problem-list.tsx';
import { AsWrittenField } from './as-written-field.tsx';
import { inherited, isLoop, kindOf } from './blocks.ts';
import type { TagSources } from '#web/content/templates/merge-tags.tsx';
import { ConditionFields } from './condition-fields.tsx';
import type { DocumentStore } from './document-store.ts';
import { ImageFields } from './image-fields.tsx';
import classes from './mail-editor.module.css';
import { readAttribute, type Splice } from './source/attributes.ts';
import {
  isContained,
  isContainer,
  setBlockAttribute,
  setBlockContent,
  unwrapCondition,
  wrapBlock,
  type Located,
} from './source/operations.ts';
import type { ParsedSource, SourceElement } from './source/parse-source.ts';
import { isEditableText } from './text/text-editor.tsx';

type Kind = 'text' | 'color' | 'align' | keyof typeof choices;

/** Values that look good, the smallest first. Any other value of the source is offered, too. */
const choices = {
  space: ['0', '8px 16px', '16px 24px', '32px 24px', '48px 24px'],
  size: ['13px', '16px', '20px', '28px', '36px'],
  radius: ['0', '4px', '8px', '16px', '999px'],
  height: ['8px', '16px', '24px', '40px', '64px'],
  line: ['1px', '2px', '4px'],
  share: ['25%', '33.33%', '50%', '66.67%', '75%'],
  pixels: ['80px', '160px', '240px', '320px', '480px'],
} as const;
/** Values with a name that a person reads. */
const named: Partial<Record<Kind, readonly ['none', 'small', 'medium', 'large', 'huge']>> = {
  space: ['none', 'small', 'medium', 'large', 'huge'],
  radius: ['none', 'small', 'medium', 'large', 'huge'],
};

type Label =
  | 'href'
  | 'color'
  | 'background'
  | 'borderColor'
  | 'borderWidth'
  | 'fontSize'
  | 'align'
  | 'padding'
  | 'width'
  | 'height'
  | 'radius';
type Field = [attribute: string, label: Label, kind: Kind];

const space: Field = ['padding', 'padding', 'space'];
const background: Field = ['background-color', 'background', 'color'];
const fields: Record<string, Field[]> = {
  'mj-section': [background, space, ['border-radius', 'radius', 'radius']],
  'mj-wrapper': [background, space],
  'mj-hero': [background, ['height', 'height', 'text'], space],
  'mj-column': [['width', 'width', 'share'], background, space],
  'mj-group': [['width', 'width', 'share']],
  'mj-text': [
    ['align', 'align', 'align'],
    ['color', 'color', 'color'],
    ['font-size', 'fontSize', 'size'],
    space,
  ],
  'mj-button': [
    ['href', 'href', 'text'],
    ['align', 'align', 'align'],
    background,
    ['color', 'color', 'color'],
    ['border-radius', 'radius', 'radius'],
  ],
  'mj-image': [
    ['href', 'href', 'text'],
    ['width', 'width', 'pixels'],
    ['align', 'align', 'align'],
    ['border-radius', 'radius', 'radius'],
  ],
  'mj-divider': [['border-color', 'borderColor', 'color'], ['border-width', 'borderWidth', 'line'], space],
  'mj-spacer': [['height', 'height', 'height']],
  'mj-social': [['align', 'align', 'align'], space],
  'mj-social-element': [['href', 'href', 'text']],
};

interface Props {
  store: DocumentStore;
  parsed: ParsedSource;
  block: Located;
  blocks: readonly Located[];
  problems: readonly TemplateProblem[];
  readOnly: boolean;
  brandId: string | undefined;
  sources: TagSources | undefined;
  /** Dropped or pasted for the selected image. */
  file: File | undefined;
  onFileDone: () => void;
  values: Readonly<Record<string, string>>;
  onSelect: (block: Located) => void;
}

/** What can be set of the selected block, and what was found in it. */
export function Properties({
  store,
  parsed,
  block,
  blocks,
  problems,
  readOnly,
  brandId,
  sources,
  file,
  onFileDone,
  values,
  onSelect,
}: Props) {
  const { t } = useTranslation('editor');
  const { node, parents } = block;
  const { source } = parsed;
  const write = (splices: Splice[]) => store.apply({ splices }, 'setting');
  const outer = parents.toReversed().flatMap((parent) => blocks.find((one) => one.node === parent) ?? []);
  const common = { parsed, readOnly, values, write };
  return (
    <Stack gap="sm">
      <Breadcrumbs separator="›" separatorMargin={4} className={classes.path}>
        {outer.map((one) => (
          <UnstyledButton key={one.node.start} onClick={() => onSelect(one)}>
            {t(`kind.${kindOf(one.node, source)}`)}
          </UnstyledButton>
        ))}
        <Text fw={600}>{t(`kind.${kindOf(node, source)}`)}</Text>
      </Breadcrumbs>
      <ProblemList problems={problems} />
      {node.kind === 'element' && node.name === 'mj-image' && (
        <ImageFields
          // Its fields keep what is typed until it is another image.
          key={`${node.start}`}
          src={readAttribute(source, node.attributes, 'src') ?? ''}
          alt={readAttribute(source, node.attributes, 'alt')}
          brandId={brandId}
          readOnly={readOnly}
          file={file}
          onFileDone={onFileDone}
          onChange={(changes) => {
            const splices = Object.entries(changes).flatMap(([name, value]) =>
              setBlockAttribute(parsed, node, name, value),
            );
            write(inOrder(splices));
          }}
          onAlt={(alt) => write(setBlockAttribute(parsed, node, 'alt', alt))}
        />
      )}
      {node.kind === 'element' && <ElementFields element={node} {...common} />}
      {node.kind === 'element' &&
        node.name === 'mj-social' &&
        node.children.map(
          (child) =>
            child.kind === 'element' && <ElementFields key={child.start} element={child} {...common} />,
        )}
      {node.kind === 'condition' ? (
        <>
          <ConditionFields
            condition={node}
            parsed={parsed}
            readOnly={readOnly}
            sources={sources}
            write={write}
          />
          {!readOnly && !isLoop(node) && (
            <Button variant="default" size="xs" onClick={() => store.apply(unwrapCondition(parsed, node))}>
              {t('dissolve')}
            </Button>
          )}
        </>
      ) : (
        !readOnly &&
        node.kind === 'element' && (
          <Button
            variant="default"
            size="xs"
            onClick={() => store.apply(wrapBlock(parsed, node, '{% if contact.first_name %}'))}
          >
            {t('makeConditional')}
          </Button>
        )
      )}
    </Stack>
  );
}

/** New attributes of one tag are written at the same place, one after the other. */
function inOrder(splices: Splice[]): Splice[] {
  const joined: Splice[] = [];
  for (const splice of splices.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last?.from === splice.from && last.to === splice.to && last.to === last.from)
      last.insert += splice.insert;
    else joined.push({ ...splice });
  }
  return joined;
}

interface ElementProps {
  element: SourceElement;
  parsed: ParsedSource;
  readOnly: boolean;
  values: Readonly<Record<string, string>>;
  write: (splices: Splice[]) => void;
}

function ElementFields({ element, parsed, readOnly, values, write }: ElementProps) {
  const { t } = useTranslation('editor');
  const { source } = parsed;
  const { name, contentStart, contentEnd } = element;
  const set = (attribute: string, value: string) =>
    write(setBlockAttribute(parsed, element, attribute, value === '' ? undefined : value));
  const content = source.slice(contentStart, contentEnd);
  const isText = name === 'mj-text' || name === 'mj-button';
  const isCode =
    !isContainer(element) &&
    element.children.length === 0 &&
    !element.isUnclosed &&
    !element.isSelfClosing &&
    (isText ? !isEditableText(content, name === 'mj-button') : !(name in fields));
  return (
    <>
      {isCode && (
        <CodeField
          description={isText ? t('contentAsCode') : undefined}
          readOnly={readOnly}
          value={content}
          canWrite={(text) => isContained(parsed, element, text)}
          onWrite={(text) => write(setBlockContent(parsed, element, text))}
        />
      )}
      {(fields[name] ?? []).map(([attribute, label, kind]) => {
        const value = readAttribute(source, element.attributes, attribute) ?? '';
        const common = { label: t(`field.${label}`), value };
        if (kind === 'text' || kind === 'color')
          return (
            <div key={attribute}>
              <TextInput
                {...common}
                readOnly={readOnly}
                placeholder={inherited(parsed, name, attribute) ?? ''}
                onChange={({ currentTarget }) => set(attribute, currentTarget.value)}
              />
              {kind === 'color' && !readOnly && (
                <Swatches
                  label={common.label}
                  parsed={parsed}
                  value={value}
                  values={values}
                  onChoose={(color) => set(attribute, color)}
                />
              )}
              {attribute === 'href' && (
                <AsWrittenField
                  href={value}
                  rel={readAttribute(source, element.attributes, 'rel')}
                  readOnly={readOnly}
                  onChange={(rel) => set('rel', rel)}
                />
              )}
            </div>
          );
        const options =
          kind === 'align'
            ? (['left', 'center', 'right'] as const).map((side) => ({
                value: side as string,
                label: t(`align.${side}`),
              }))
            : choices[kind].map((one, index) => {
                const size = named[kind]?.[index];
                return { value: one, label: size === undefined ? one : t(`sizes.${size}`) };
              });
        const isOther = value !== '' && options.every((option) => option.value !== value);
        return (
          <NativeSelect
            key={attribute}
            {...common}
            disabled={readOnly}
            data={[
              { value: '', label: t('align.default') },
              ...options,
              ...(isOther ? [{ value, label: value }] : []),
            ]}
            onChange={({ currentTarget }) => set(attribute, currentTarget.value)}
          />
        );
      })}
    </>
  );
}

interface CodeFieldProps {
  description: string | undefined;
  readOnly: boolean;
  value: string;
  canWrite: (text: string) => boolean;
  onWrite: (text: string) => void;
}

/** HTML within a block. While a tag of it is unfinished, the source keeps what was there before. */
function CodeField({ description, readOnly, value, canWrite, onWrite }: CodeFieldProps) {
  const { t } = useTranslation('editor');
  const [draft, setDraft] = useState<string>();
  return (
    <Textarea
      label={t('field.content')}
      description={description}
      autosize
      minRows={3}
      maxRows={14}
      classNames={{ input: classes.code }}
      readOnly={readOnly}
      error={draft !== undefined && t('unfinished')}
      value={draft ?? value}
      onChange={({ currentTarget: { value: text } }) => {
        const isReady = canWrite(text);
        setDraft(isReady ? undefined : text);
        if (isReady) onWrite(text);
      }}
    />
  );
}

interface SwatchesProps {
  label: string;
  parsed: ParsedSource;
  value: string;
  values: Readonly<Record<string, string>>;
  onChoose: (color: string) => void;
}

/** The colors of the brand, and those that the email has already. */
function Swatches({ label, parsed, value, values, onChoose }: SwatchesProps) {
  const { t } = useTranslation('editor');
  return (
    <Group gap={4} mt={6} role="group" aria-label={label}>
      {colorsOf(parsed, values).map(([color, shown]) => (
        <UnstyledButton
          key={color}
          className={classes.swatch}
          aria-label={color.startsWith('{') ? t('brandColor') : color}
          aria-pressed={color === value}
          title={color.startsWith('{') ? t('brandColor') : color}
          style={{ background: shown }}
          onClick={() => onChoose(color)}
        />
      ))}
    </Group>
  );
}

const mostColors = 8;

/** @returns colors to offer, as they are written, with how they look */
export function colorsOf(
  { source }: ParsedSource,
  values: Readonly<Record<string, string>>,
): [string, string][] {
  const used = [...source.matchAll(/["':]\s*(#[\da-f]{6})\b/gi)].map(([, color]) => color!.toLowerCase());
  return ['{{ brand.color }}', '{{ brand.tint }}', ...new Set([...used, '#1f2933', '#ffffff'])]
    .slice(0, mostColors)
    .map((color) => [color, values[color.replaceAll(/[{}\s]/g, '')] ?? color]);
}
