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
import { inherited, isLoop } from './blocks.ts';
import { ConditionFields } from './condition-fields.tsx';
import { ImageFields } from './image-fields.tsx';
import classes from './mail-editor.module.css';
import { readAttribute } from './source/attributes.ts';
import {
  isContained,
  isContainer,
  setBlockAttribute,
  setBlockContent,
  unwrapCondition,
  wrapBlock,
  type Located,
} from './source/operations.ts';
import type { SourceElement } from './source/parse-source.ts';
import { colorsOf, Swatches } from './swatches.tsx';
import { isEditableText } from './text/text-editor.tsx';
import type { BlockEditor } from './use-block-editor.ts';

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
  editor: BlockEditor;
  block: Located;
  problems: readonly TemplateProblem[];
}

/** What can be set of the selected block, and what was found in it. */
export function Properties({ editor, block, problems }: Props) {
  const { t } = useTranslation('editor');
  const { store, parsed, blocks, readOnly } = editor;
  const { node, parents } = block;
  const outer = parents.toReversed().flatMap((parent) => blocks.find((one) => one.node === parent) ?? []);
  return (
    <Stack gap="sm">
      <Breadcrumbs separator="›" separatorMargin={4} className={classes.path}>
        {outer.map((one) => (
          <UnstyledButton key={one.node.start} onClick={() => editor.select(one)}>
            {editor.nameOf(one)}
          </UnstyledButton>
        ))}
        <Text fw={600}>{editor.nameOf(block)}</Text>
      </Breadcrumbs>
      <ProblemList problems={problems} />
      {node.kind === 'element' && node.name === 'mj-image' && (
        // Its fields keep what is typed until it is another image.
        <ImageFields key={`${node.start}`} editor={editor} image={node} />
      )}
      {node.kind === 'element' && <ElementFields editor={editor} element={node} />}
      {node.kind === 'element' &&
        node.name === 'mj-social' &&
        node.children.map(
          (child) =>
            child.kind === 'element' && <ElementFields key={child.start} editor={editor} element={child} />,
        )}
      {node.kind === 'condition' && <ConditionFields editor={editor} condition={node} />}
      {!readOnly && node.kind === 'condition' && !isLoop(node) && (
        <Button size="xs" onClick={() => store.apply(unwrapCondition(parsed, node))}>
          {t('dissolve')}
        </Button>
      )}
      {!readOnly && node.kind === 'element' && (
        <Button size="xs" onClick={() => store.apply(wrapBlock(parsed, node, '{% if contact.first_name %}'))}>
          {t('makeConditional')}
        </Button>
      )}
    </Stack>
  );
}

interface ElementProps {
  editor: BlockEditor;
  element: SourceElement;
}

function ElementFields({ editor, element }: ElementProps) {
  const { t } = useTranslation('editor');
  const { parsed, readOnly } = editor;
  const { source } = parsed;
  const { name } = element;
  const set = (attribute: string, value: string) =>
    editor.set(setBlockAttribute(parsed, element, attribute, value === '' ? undefined : value));
  const content = source.slice(element.contentStart, element.contentEnd);
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
        <CodeField editor={editor} element={element} description={isText ? t('contentAsCode') : undefined} />
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
                <Group gap={4} mt={6} role="group" aria-label={common.label}>
                  <Swatches
                    colors={colorsOf(editor)}
                    value={value}
                    onChoose={(color) => set(attribute, color)}
                  />
                </Group>
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

/** HTML within a block. While a tag of it is unfinished, the source keeps what was there before. */
function CodeField({ editor, element, description }: ElementProps & { description: string | undefined }) {
  const { t } = useTranslation('editor');
  const { parsed, readOnly } = editor;
  const value = parsed.source.slice(element.contentStart, element.contentEnd);
  const [draft, setDraft] = useState<string>();
  return (
    <Textarea
      label={t('field.content')}
      description={description}
      minRows={3}
      maxRows={14}
      classNames={{ input: classes.code }}
      readOnly={readOnly}
      error={draft !== undefined && t('unfinished')}
      value={draft ?? value}
      onChange={({ currentTarget: { value: text } }) => {
        const isReady = isContained(parsed, element, text);
        setDraft(isReady ? undefined : text);
        if (isReady) editor.set(setBlockContent(parsed, element, text));
      }}
    />
  );
}
