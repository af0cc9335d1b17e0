import { useDraggable } from '@dnd-kit/core';
import { Button, Group, Menu, SegmentedControl, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FinePrint } from '#web/ui/text.ts';
import { offeredBlocks, type OfferedBlock } from './blocks.ts';
import type { Look } from './canvas/canvas-document.ts';
import classes from './mail-editor.module.css';
import { nextPlace } from './source/operations.ts';
import { Tool } from './tool.tsx';
import type { BlockEditor } from './use-block-editor.ts';

interface AddMenuProps {
  opened: boolean;
  onChange: (opened: boolean) => void;
  onAdd: (block: OfferedBlock) => void;
}

export function AddMenu({ opened, onChange, onAdd }: AddMenuProps) {
  const { t } = useTranslation('editor');
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-start" shadow="md" width={220}>
      <Menu.Target>
        <Button size="xs" leftSection={<IconPlus size={16} />}>
          {t('add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflow: 'auto' }}>
        {offeredBlocks.map((offered) => (
          <Menu.Item key={offered} onClick={() => onAdd(offered)}>
            {t(`kind.${offered}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The blocks to drag into the email. */
export function Palette({ onAdd }: Pick<AddMenuProps, 'onAdd'>) {
  const { t } = useTranslation('editor');
  return (
    <section className={classes.palette} aria-label={t('add')}>
      {offeredBlocks.map((offered) => (
        <Tile key={offered} block={offered} onAdd={onAdd} />
      ))}
      <FinePrint>{t('addHint')}</FinePrint>
    </section>
  );
}

function Tile({ block, onAdd }: { block: OfferedBlock } & Pick<AddMenuProps, 'onAdd'>) {
  const { t } = useTranslation('editor');
  const { setNodeRef, listeners } = useDraggable({ id: `new-${block}`, data: { block } });
  return (
    <UnstyledButton ref={setNodeRef} {...listeners} className={classes.tile} onClick={() => onAdd(block)}>
      {t(`kind.${block}`)}
    </UnstyledButton>
  );
}

/** How the email is shown. */
export interface Showing {
  device: 'desktop' | 'phone';
  look: Look;
}

interface ShowingChoiceProps {
  value: Showing;
  onChange: (change: Partial<Showing>) => void;
}

export function ShowingChoice({ value, onChange }: ShowingChoiceProps) {
  const { t } = useTranslation('editor');
  return (
    <>
      <SegmentedControl
        aria-label={t('field.width')}
        size="xs"
        value={value.device}
        onChange={(device) => onChange({ device })}
        data={(['desktop', 'phone'] as const).map((device) => ({ value: device, label: t(device) }))}
      />
      <SegmentedControl
        aria-label={t('look')}
        size="xs"
        value={value.look}
        onChange={(look) => onChange({ look })}
        data={(['light', 'inverted', 'noImages'] as const).map((look) => ({
          value: look,
          label: t(`looks.${look}`),
        }))}
      />
    </>
  );
}

/** Moves, copies and removes the selected block. */
export function BlockTools({ editor }: { editor: BlockEditor }) {
  const { t } = useTranslation('editor');
  const { parsed, block, readOnly } = editor;
  if (readOnly || !block) return null;
  const above = nextPlace(parsed, block, -1);
  const below = nextPlace(parsed, block, 1);
  return (
    <Group gap={4}>
      <Tool
        label={t('words.moveUp')}
        icon={IconArrowUp}
        disabled={!above}
        onClick={() => editor.move(block, above)}
      />
      <Tool
        label={t('words.moveDown')}
        icon={IconArrowDown}
        disabled={!below}
        onClick={() => editor.move(block, below)}
      />
      <Tool label={t('actions.duplicate')} icon={IconCopy} onClick={() => editor.duplicate(block)} />
      <Tool label={t('remove')} icon={IconTrash} onClick={() => editor.remove(block)} />
    </Group>
  );
}
