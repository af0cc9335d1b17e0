import { Anchor } from '@mantine/core';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import type { ReactNode } from 'react';

/**
 * For `ProblemList`: links to the field of the email, or to the line of its body.
 * @param onField  moves there
 */
export const linkToField =
  (onField: (field: string, line?: number) => void) =>
  ({ field, line }: TemplateProblem, words: string): ReactNode => {
    const target = field === 'subject' || field === 'preheader' ? field : line === null ? undefined : 'mjml';
    if (target === undefined) return undefined;
    return (
      <Anchor
        inherit
        c="inherit"
        underline="always"
        component="button"
        type="button"
        onClick={() => onField(target, line ?? undefined)}
      >
        {words}
      </Anchor>
    );
  };
