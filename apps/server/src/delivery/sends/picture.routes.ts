import { operations } from '../../identity/access/operations.ts';
import type { MailSetup } from '../../outreach/channels/channel.ts';
import { renderPicture } from './picture.ts';

export const createPictureRoute = ({ publicUrl }: Pick<MailSetup, 'publicUrl'>) =>
  operations.emails.picture.handler(async ({ input, context }) => ({
    html: await renderPicture(input.id, context, publicUrl),
  }));
