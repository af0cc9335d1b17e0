import { collections } from './collections.ts';
import { consent } from './consent.ts';
import { files } from './files.ts';
import { timeline } from './timeline.ts';

/** Texts for collections, their items and contacts. */
export const contacts = { collections, consent, files, timeline };
