import { ActionIcon } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadHelpTexts } from '#web/i18n/i18n.ts';
import { roomForHelp } from '#web/operations/help/room-for-help.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { readLocal, writeLocal } from '#web/platform/local.ts';

const HelpPanel = lazyPart(() => import('#web/operations/help/help-panel.tsx'), { texts: loadHelpTexts });

/** The help beside a page, with the button for it. Where there is room beside the page, it stays open in this browser. */
export function useHelpPanel() {
  const { t } = useTranslation('shell');
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'restored' | 'open' | 'closed'>(() =>
    // Above the page it would cover what the user has just opened.
    readLocal('help') === 'open' && window.matchMedia(roomForHelp).matches ? 'restored' : 'closed',
  );
  const show = (next: 'open' | 'closed') => {
    setState(next);
    writeLocal('help', next);
    if (next === 'closed') button.current?.focus();
  };
  return {
    open: () => show('open'),
    button: (
      <ActionIcon
        ref={button}
        variant="default"
        radius="xl"
        aria-label={t('words.help')}
        aria-expanded={state !== 'closed'}
        onClick={() => show(state === 'closed' ? 'open' : 'closed')}
      >
        ?
      </ActionIcon>
    ),
    panel: state !== 'closed' && (
      <HelpPanel isRestored={state === 'restored'} onClose={() => show('closed')} />
    ),
  };
}
