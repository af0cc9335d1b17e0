/** Decodes encoded words of a header; blanks between two of them are not part of the text (RFC 2047 section 6.2). */
export function decodeWords(text: string): string {
  return text
    .replaceAll(/(\?=)\s+(?==\?)/g, '$1')
    .replaceAll(
      /=\?([\w-]{1,40})\?([bq])\?([^?\s]*)\?=/gi,
      (whole, charset: string, encoding: string, content: string) => {
        try {
          const bytes = encoding.toLowerCase() === 'b' ? atob(content) : unquote(content);
          return new TextDecoder(charset).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
        } catch {
          return whole;
        }
      },
    );
}

const unquote = (content: string) =>
  content
    .replaceAll('_', ' ')
    .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
