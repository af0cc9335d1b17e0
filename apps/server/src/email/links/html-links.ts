import { Parser, QuoteType, Tokenizer } from 'htmlparser2';

/** An attribute in HTML; `start` and `end` are those of its value, whose entities are still encoded. */
export interface AttributeSpan {
  element: string;
  /** Index of its element in `elements`. */
  elementNo: number;
  name: string;
  nameStart: number;
  start: number;
  end: number;
  /** After the closing quote. */
  attributeEnd: number;
}

export interface HtmlOutline {
  attributes: AttributeSpan[];
  /** Names of all elements in document order, with duplicates. */
  elements: string[];
  /** Offset after the opening `<body …>`; undefined if there is none. */
  bodyStart: number | undefined;
}

/** Finds the offsets of attributes, so that a rewrite leaves every other byte unchanged. Comments are skipped. */
export function outlineHtml(html: string): HtmlOutline {
  const attributes: AttributeSpan[] = [];
  const elements: string[] = [];
  let bodyStart: number | undefined;
  let element = '';
  let name = '';
  let nameStart = 0;
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
        nameStart = from;
        start = undefined;
      },
      onattribdata: (from) => {
        start ??= from;
      },
      onattribend: (quote, end) => {
        // For a quoted value, `end` is after the closing quote.
        const valueEnd = quote === QuoteType.Single || quote === QuoteType.Double ? end - 1 : end;
        attributes.push({
          element,
          elementNo: elements.length - 1,
          name,
          nameStart,
          start: start ?? valueEnd,
          end: valueEnd,
          attributeEnd: end,
        });
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

/** Decodes the entities of an attribute value, as a browser does. */
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
