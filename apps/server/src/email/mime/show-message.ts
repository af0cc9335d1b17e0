import type { EmailSnapshot } from '../email-content.ts';
import { createLinkTargets } from '../links/link-targets.ts';
import type { MessageLinks } from '../templates/render-page.ts';
import { runTemplateTask, TemplateTaskError } from '../templates/template-processes.ts';
import type { DeliveryRef, TokenSigner } from '../links/tokens.ts';

export interface ShownMessages {
  /** Page behind "view in browser", with plain destinations and no pixel. @throws TemplateTaskError, LimitExceeded */
  renderPage(ref: DeliveryRef, contact: Record<string, unknown>): Promise<string>;
  /** Destination of link `linkNo` (0-based); undefined unless it is an http(s) URL. @throws LimitExceeded */
  findTarget(contact: Record<string, unknown>, linkNo: number): Promise<string | undefined>;
}

/**
 * Shows messages of one send to their readers, long after they were sent. Everything that a template can make slow or
 * large is rendered in a template process: one reader's request must not delay others.
 * @param owner the organization: owners are served round robin
 */
export function createShownMessages(
  snapshot: EmailSnapshot,
  { publicUrl, signer, owner }: { publicUrl: string; signer: TokenSigner; owner: string },
): ShownMessages {
  const targets = createLinkTargets(snapshot);
  return {
    renderPage: async (ref, contact) => {
      const { unsubscribe, view } = signer.sign(ref);
      const messageLinks: MessageLinks = {
        unsubscribe: `${publicUrl}/u/${unsubscribe}`,
        preferences: `${publicUrl}/p/${unsubscribe}`,
        view_in_browser: `${publicUrl}/v/${view}`,
      };
      return await runTemplateTask<string>({ kind: 'page', snapshot, contact, messageLinks }, owner);
    },
    findTarget: async (contact, linkNo) => {
      if (!targets.isCostly(linkNo)) return targets.target(contact, linkNo);
      const { links, context } = snapshot;
      try {
        return await runTemplateTask<string | undefined>(
          { kind: 'link', snapshot: { links, context }, contact, linkNo },
          owner,
        );
      } catch (error) {
        if (!(error instanceof TemplateTaskError)) throw error;
        return undefined;
      }
    },
  };
}
