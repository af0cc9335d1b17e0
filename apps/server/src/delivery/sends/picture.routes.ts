import { operations } from '../../identity/access/operations.ts';
import { renderPicture } from './picture.ts';

export const pictureRoute = operations.emails.picture.handler(async ({ input, context }) => ({
  html: await renderPicture(input.id, context),
}));
