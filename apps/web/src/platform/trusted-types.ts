/** The part of the browser's API that is used here; TypeScript has no types of it yet. */
interface TrustedTypes {
  createPolicy: (name: string, rules: { createHTML: (text: string) => string }) => HtmlPolicy;
}

/** Turns text into what properties such as `srcdoc` take. The browser checks the kind of the result, not its text. */
export interface HtmlPolicy {
  createHTML: (text: string) => string;
}

/**
 * The server's content security policy names the policies that may exist, and refuses plain text where it would become
 * markup. Browsers that do not know trusted types get the text itself.
 */
export const createHtmlPolicy = (name: string, createHTML: (text: string) => string): HtmlPolicy =>
  (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(name, { createHTML }) ?? {
    createHTML,
  };

/** Style sheets, which the component library writes as markup, have no tags. Nothing else may become markup. */
export const allowStyleSheetsOnly = (): HtmlPolicy =>
  createHtmlPolicy('default', (text) => {
    if (/<[a-z/!?]/i.test(text)) throw new TypeError('Text may not become markup.');
    return text;
  });
