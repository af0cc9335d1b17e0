import type { PageText } from '@reachout/contract/help.ts';

/** The form of a page or a question, whose texts are side by side. */
export interface TextValues {
  en_title: string;
  en_content: string;
  en_is_draft: boolean;
  de_title: string;
  de_content: string;
  de_is_draft: boolean;
}

/** A new entry starts as a draft. */
export const toValues = ({ en, de }: { en: PageText | null; de: PageText | null }): TextValues => ({
  en_title: en?.title ?? '',
  en_content: en?.content ?? '',
  en_is_draft: en?.is_draft ?? true,
  de_title: de?.title ?? '',
  de_content: de?.content ?? '',
  de_is_draft: de?.is_draft ?? true,
});

/** German is left out where it has no text. */
export const fromValues = (values: TextValues): { en: PageText; de: PageText | null } => ({
  en: { title: values.en_title, content: values.en_content, is_draft: values.en_is_draft },
  de:
    values.de_title.trim() === '' && values.de_content.trim() === ''
      ? null
      : { title: values.de_title, content: values.de_content, is_draft: values.de_is_draft },
});
