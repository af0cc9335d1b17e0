import { ActionIcon, Button, Group, Popover, Select, Stack, TextInput } from '@mantine/core';
import {
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconBold,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPalette,
} from '@tabler/icons-react';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import type { Editor } from '@tiptap/core';
import { useEffect, useReducer, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MergeTags } from '#web/content/templates/merge-tags.tsx';
import { AsWrittenField } from '#web/content/editor/as-written-field.tsx';
import { colorsOf, Swatches, type SwatchesProps } from '#web/content/editor/swatches.tsx';
import { readAttribute } from '#web/content/editor/source/attributes.ts';
import { setBlockAttribute } from '#web/content/editor/source/operations.ts';
import type { SourceElement } from '#web/content/editor/source/parse-source.ts';
import { Tool } from '#web/content/editor/tool.tsx';
import type { BlockEditor } from '#web/content/editor/use-block-editor.ts';
import type { Written } from './rich-text.ts';

interface Props {
  /** The email, and the text of it that is edited. */
  blocks: BlockEditor;
  element: SourceElement;
  editor: Editor;
}

const alignments = { left: IconAlignLeft, center: IconAlignCenter, right: IconAlignRight } as const;

/** Formats the text that is being edited. */
export function TextToolbar({ blocks, element, editor }: Props) {
  const { t } = useTranslation('editor');
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    editor.on('transaction', redraw);
    return () => {
      editor.off('transaction', redraw);
    };
  }, [editor]);
  const { store, parsed } = blocks;
  const align = readAttribute(parsed.source, element.attributes, 'align') ?? 'left';
  return (
    <Group gap={2} role="toolbar" aria-label={t('format.toolbar')}>
      <Tool
        label={t('format.bold')}
        icon={IconBold}
        isOn={editor.isActive('bold')}
        onClick={() => editor.chain().focus().toggleMark('bold').run()}
      />
      <Tool
        label={t('format.italic')}
        icon={IconItalic}
        isOn={editor.isActive('italic')}
        onClick={() => editor.chain().focus().toggleMark('italic').run()}
      />
      {element.name !== 'mj-button' && (
        <>
          <LinkTool editor={editor} />
          {([false, true] as const).map((isOrdered) => (
            <Tool
              key={String(isOrdered)}
              label={t(isOrdered ? 'format.numbers' : 'format.list')}
              icon={isOrdered ? IconListNumbers : IconList}
              isOn={editor.isActive('list', { isOrdered })}
              onClick={() =>
                editor.chain().focus().toggleList('list', 'listItem', false, { isOrdered }).run()
              }
            />
          ))}
          {(['left', 'center', 'right'] as const).map((side) => (
            <Tool
              key={side}
              label={t(`align.${side}`)}
              icon={alignments[side]}
              isOn={align === side}
              onClick={() => store.apply({ splices: setBlockAttribute(parsed, element, 'align', side) })}
            />
          ))}
        </>
      )}
      <ColorTool editor={editor} colors={colorsOf(blocks)} />
      <MergeTags
        isSmall
        sources={blocks.sources}
        onInsert={(code) =>
          editor
            .chain()
            .focus()
            .insertContent([{ type: 'liquid', attrs: { code } }])
            .run()
        }
      />
    </Group>
  );
}

const links = [
  'links.unsubscribe',
  'links.preferences',
  'links.view_in_browser',
  'brand.imprint_url',
] as const;

/** @returns an address that mail programs open; undefined for what is none */
export function toAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (/^(?:https?:\/\/|tel:|mailto:)\S+$/i.test(text) || /^\{\{[^]*\}\}$/.test(text)) return text;
  if (isEmail(text)) return `mailto:${text}`;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(text) ? `https://${text}` : undefined;
}

function LinkTool({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  const [opened, setOpened] = useState(false);
  const written = editor.getAttributes('link')['written'] as Written | undefined;
  const [typed, setTyped] = useState('');
  const [rel, setRel] = useState('');
  const [isWrong, setWrong] = useState(false);
  const toggle = (open: boolean) => {
    setTyped(written?.['href'] ?? '');
    setRel(written?.['rel'] ?? '');
    setWrong(false);
    setOpened(open);
  };
  const apply = () => {
    const href = toAddress(typed);
    if (href === undefined) {
      setWrong(true);
      return;
    }
    const { rel: _, ...others } = written ?? {};
    const attrs = { element: 'a', written: { ...others, href, ...(rel === '' ? {} : { rel }) } };
    const chain = editor.chain().focus();
    if (written) chain.extendMarkRange('link').setMark('link', attrs).run();
    else if (editor.state.selection.empty)
      chain.insertContent({ type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs }] }).run();
    else chain.setMark('link', attrs).run();
    setOpened(false);
  };
  return (
    <Popover width={300} position="bottom-start" shadow="md" trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <ActionIcon
          variant={written ? 'light' : 'subtle'}
          aria-label={t('words.link')}
          title={t('words.link')}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => toggle(!opened)}
        >
          <IconLink size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('words.link')}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            apply();
          }}
        >
          <Stack gap="xs">
            <TextInput
              size="xs"
              data-autofocus
              label={t('field.href')}
              error={isWrong && t('format.noAddress')}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <Select
              size="xs"
              clearable
              label={t('format.orLink')}
              comboboxProps={{ withinPortal: false }}
              value={links.find((link) => typed.includes(link)) ?? null}
              data={links.map((link) => ({ value: link, label: t(`format.links.${link}`) }))}
              onChange={(link) => setTyped(link === null ? '' : `{{ ${link} }}`)}
            />
            <AsWrittenField href={toAddress(typed) ?? ''} rel={rel} onChange={setRel} />
            <Group gap="xs">
              <Button variant="filled" size="xs" type="submit">
                {t('format.apply')}
              </Button>
              {written && (
                <Button
                  size="xs"
                  variant="subtle"
                  color="gray"
                  onClick={() => {
                    editor.chain().focus().extendMarkRange('link').unsetMark('link').run();
                    setOpened(false);
                  }}
                >
                  {t('format.noLink')}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

/** @returns a style with this color, or without one */
function withColor(style: string, color: string | undefined): string {
  const others = style.split(';').filter((rule) => rule.trim() !== '' && !/^\s*color\s*:/i.test(rule));
  return [...others, ...(color === undefined ? [] : [`color:${color}`])].join(';');
}

function ColorTool({ editor, colors }: Pick<Props, 'editor'> & Pick<SwatchesProps, 'colors'>) {
  const { t } = useTranslation('editor');
  const [opened, setOpened] = useState(false);
  const written = (editor.getAttributes('span')['written'] as Written | undefined) ?? {};
  const choose = (color: string | undefined) => {
    const style = withColor(written['style'] ?? '', color);
    const { style: _, ...others } = written;
    const next = style === '' ? others : { ...others, style };
    const chain = editor.chain().focus();
    if (Object.keys(next).length === 0) chain.unsetMark('span').run();
    else chain.setMark('span', { element: 'span', written: next }).run();
    setOpened(false);
  };
  return (
    <Popover position="bottom-start" shadow="md" trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <ActionIcon
          aria-label={t('field.color')}
          title={t('field.color')}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <IconPalette size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('field.color')}>
        <Group gap={4}>
          <Swatches colors={colors} onChoose={choose} />
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => choose(undefined)}>
            {t('format.noColor')}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
