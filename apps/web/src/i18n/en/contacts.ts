import { collections } from './collections.ts';
import { consent } from './consent.ts';
import { files } from './files.ts';
import { timeline } from './timeline.ts';

/** Of collections and their items: what screens of contacts say. */
export const contacts = { collections, consent, files, timeline };
