import { Kbd, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#web/ui/dialog.tsx';
import { shortcutsOn } from '#web/ui/shortcuts.ts';
import { goTo } from './use-global-shortcuts.ts';
import classes from './shortcut-help.module.css';

/** The shortcuts; `mod` is the platform's modifier key for commands. */
const groups = {
  lists: { search: ['/'], filter: ['F'], create: ['N'], rows: ['J', 'K'], open: ['Enter'], select: ['X'] },
  everywhere: {
    palette: ['mod', 'K'],
    client: ['C'],
    save: ['mod', 'S'],
    confirm: ['mod', 'Enter'],
    sidebar: ['mod', 'B'],
    close: ['Esc'],
    help: ['?'],
  },
} as const;

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** All keyboard shortcuts. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['shortcuts', 'shell']);
  const nameOf = (key: string) => (key === 'mod' ? (isApple ? '⌘' : t('shell:shortcuts.ctrl')) : key);
  return (
    <Dialog size="lg" onClose={onClose} title={t('shell:shortcuts.title')}>
      {!shortcutsOn() && <Text mb="md">{t('off')}</Text>}
      <div className={classes.groups}>
        <Keys
          title={t('goTo')}
          rows={Object.entries(goTo).map(([key, item]) => [t(`words.${item}`), ['G', key.toUpperCase()]])}
        />
        <div>
          <Keys
            title={t('lists')}
            rows={(['search', 'filter', 'create', 'rows', 'open', 'select'] as const).map((name) => [
              t(name),
              groups.lists[name],
            ])}
          />
          <Keys
            title={t('everywhere')}
            rows={(['palette', 'client', 'save', 'confirm', 'sidebar', 'close', 'help'] as const).map(
              (name) => [t(name), groups.everywhere[name].map(nameOf)],
            )}
          />
        </div>
      </div>
    </Dialog>
  );
}

interface KeysProps {
  title: string;
  rows: readonly (readonly [name: string, keys: readonly string[]])[];
}

function Keys({ title, rows }: KeysProps) {
  return (
    <section>
      <Text component="h3" fw={650} mb={4}>
        {title}
      </Text>
      <dl className={classes.keys}>
        {rows.map(([name, keys]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {keys.map((key) => (
                <Fragment key={key}>
                  <Kbd>{key}</Kbd>{' '}
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
