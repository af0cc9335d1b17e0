import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { usePreferences } from '#web/platform/preferences.ts';
import classes from './mail-editor.module.css';

/** Beside the email: the settings of the chosen block. */
export const settingsPanel = { name: 'editor', min: 220, max: 480, initial: 252 } as const;

/** Whether there is room for a list of blocks and their settings beside the email. */
export const useIsWide = (): boolean =>
  useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });

/** Skeleton of the email editor, with its columns. */
export function MailEditorSkeleton() {
  const isWide = useIsWide();
  const { 'panel.editor': width = settingsPanel.initial } = usePreferences();
  return (
    <div>
      <Skeleton height={30} width={200} mb={8} />
      <div className={classes.panes} data-wide={isWide || undefined}>
        <div className={classes.canvas}>
          <Skeleton height={480} maw={640} mx="auto" />
        </div>
        <div className={classes.tools}>
          <Skeleton height={30} maw={360} />
        </div>
        {isWide && (
          <div className={classes.palette}>
            <Skeleton height={400} />
          </div>
        )}
        <div className={classes.properties} data-empty style={isWide ? { width } : undefined}>
          <Skeleton height={20} />
        </div>
      </div>
    </div>
  );
}
