/** The part of the browser's API that is used here; TypeScript has no types for it yet. */
interface TrustedTypes {
  createPolicy: {
    (name: string, rules: { createHTML: (text: string) => string }): HtmlPolicy;
    (
      name: string,
      rules: { createScriptURL: (url: string) => string },
    ): {
      createScriptURL: (url: string) => string;
    };
  };
}

/** Converts text to the type that `srcdoc` and others accept. The browser checks the type of the result, not its content. */
export interface HtmlPolicy {
  createHTML: (text: string) => string;
}

/**
 * The server's content security policy lists the allowed policies and rejects plain text wherever it would become markup.
 * Browsers without trusted types get the text itself.
 */
export const createHtmlPolicy = (name: string, createHTML: (text: string) => string): HtmlPolicy =>
  trustedTypes()?.createPolicy(name, { createHTML }) ?? { createHTML };

export const trustedTypes = (): TrustedTypes | undefined =>
  (window as { trustedTypes?: TrustedTypes }).trustedTypes;

/** Style sheets, which the component library writes as markup, contain no tags. No other text may become markup. */
export const allowStyleSheetsOnly = (): HtmlPolicy =>
  createHtmlPolicy('default', (text) => {
    if (/<[a-z/!?]/i.test(text)) throw new TypeError('Text may not become markup.');
    return text;
  });
