import { createPictureCache } from '../../email/templates/picture-cache.ts';
import { operations } from '../../identity/access/operations.ts';
import type { MailSetup } from '../../outreach/channels/channel.ts';
import { renderPicture } from './picture.ts';

export function createPictureRoute({ publicUrl }: Pick<MailSetup, 'publicUrl'>) {
  const cache = createPictureCache();
  return operations.emails.picture.handler(async ({ input, context }) => ({
    html: await renderPicture(input.id, context, { publicUrl, cache }),
  }));
}
