import type { StarterLanguage } from '@reachout/contract/templates.ts';
import type { Story } from './story.ts';
import { german } from './story-de.ts';
import { english } from './story-en.ts';

/** The demo's content in each language. */
export const stories: Readonly<Record<StarterLanguage, Story>> = { en: english, de: german };
