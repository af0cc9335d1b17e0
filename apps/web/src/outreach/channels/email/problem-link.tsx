import { Anchor } from '@mantine/core';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import type { ReactNode } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';

/**
 * For `ProblemList`: links to the line of the template, or to the field of the email.
 * @param onField  moves to a field
 */
export function useProblemLink(
  templateId: string | null,
  onField: (field: string) => void,
): (problem: TemplateProblem, words: string) => ReactNode {
  const { orgId, can } = useOrganization();
  const { touchpoint } = useTouchpoint();
  return ({ field, line }, words) => {
    if (field === 'subject' || field === 'preheader')
      return (
        <Anchor
          inherit
          c="inherit"
          underline="always"
          component="button"
          type="button"
          onClick={() => onField(field)}
        >
          {words}
        </Anchor>
      );
    if (line === null || templateId === null || !can('read', 'Template')) return undefined;
    return (
      <LinkAnchor
        inherit
        c="inherit"
        underline="always"
        to="/o/$orgId/templates/$templateId"
        params={{ orgId, templateId }}
        search={{ line, email: touchpoint.id }}
      >
        {words}
      </LinkAnchor>
    );
  };
}
