import { Parser, QuoteType, Tokenizer } from 'htmlparser2';

/** An attribute value in HTML, entities still encoded. */
export interface AttributeSpan {
  element: string;
  name: string;
  start: number;
  end: number;
}

export interface HtmlOutline {
  attributes: AttributeSpan[];
  /** Names of all elements, in order, repeated. */
  elements: string[];
  /** Behind the opening `<body …>`, or undefined. */
  bodyStart: number | undefined;
}

/** Finds attributes by their place, so that a rewrite leaves every other byte as it was. Comments are skipped. */
export function outlineHtml(html: string): HtmlOutline {
  const attributes: AttributeSpan[] = [];
  const elements: string[] = [];
  let bodyStart: number | undefined;
  let element = '';
  let name = '';
  let start: number | undefined;
  const ignore = () => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (from, to) => {
        element = html.slice(from, to).toLowerCase();
        elements.push(element);
      },
      onattribname: (from, to) => {
        name = html.slice(from, to).toLowerCase();
        start = undefined;
      },
      onattribdata: (from) => {
        start ??= from;
      },
      onattribend: (quote, end) => {
        // A quoted value's end is behind its quote.
        const valueEnd = quote === QuoteType.Single || quote === QuoteType.Double ? end - 1 : end;
        attributes.push({ element, name, start: start ?? valueEnd, end: valueEnd });
      },
      onopentagend: (end) => {
        if (element === 'body') bodyStart ??= end + 1;
      },
      onattribentity: ignore,
      onselfclosingtag: ignore,
      onclosetag: ignore,
      ontext: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return { attributes, elements, bodyStart };
}

/** An attribute value as a browser reads it: entities decoded. */
export function decodeAttribute(raw: string): string {
  let value = '';
  const parser = new Parser({
    onattribute: (_name, text) => {
      value = text;
    },
  });
  parser.end(`<a b="${raw.replaceAll('"', '&quot;')}">`);
  return value;
}
