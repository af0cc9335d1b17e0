/** A page or a question with its answer. */
interface Entry {
  title: string;
  /** Markdown. */
  content: string;
}

/**
 * @returns the entries that have every word of the search in their title or text, those with all of them in the title first;
 *   all entries if there are no words
 */
export function searchHelp<E extends Entry>(entries: readonly E[], search: string): E[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const isInTitle = ({ title }: E) => hasAll(title);
  const found = entries.filter(({ title, content }) => hasAll(`${title} ${plainText(content)}`));
  return [...found.filter(isInTitle), ...found.filter((entry) => !isInTitle(entry))];
}

/** Without the addresses of links and the signs of Markdown. */
const plainText = (markdown: string): string =>
  markdown.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/[*_`#[\]]/g, '');
