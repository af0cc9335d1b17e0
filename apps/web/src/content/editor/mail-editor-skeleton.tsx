import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import classes from './mail-editor.module.css';

/** Whether there is room for a list of blocks and their settings beside the email. */
export const useIsWide = (): boolean =>
  useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });

/** Skeleton of the email editor, with its columns. */
export function MailEditorSkeleton() {
  const isWide = useIsWide();
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
        <div className={classes.properties} data-empty>
          <Skeleton height={20} />
        </div>
      </div>
    </div>
  );
}
