import { collections } from './collections.ts';
import { consent } from './consent.ts';
import { editor } from './editor.ts';
import { files } from './files.ts';
import { shares } from './shares.ts';
import { signUps } from './sign-ups.ts';
import { timeline } from './timeline.ts';

/** Texts for content: collections, their items and contacts, files, and the editor of emails. */
export const contacts = { collections, consent, editor, files, shares, signUps, timeline };
