const enhancedCode = String.raw`([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)`;

/** The places of a code, the most reliable first. */
const places = [
  // RFC 2034: at the start of the text. Some servers have it in the last line only.
  new RegExp(String.raw`^\s*${enhancedCode}`, 'm'),
  // `(#5.1.1)` of qmail, `#5.1.0` of Cisco, `[5.1.1]`.
  new RegExp(String.raw`[#([]${enhancedCode}`),
  // The quoted reply of another server: `550 5.1.1 no such user`.
  new RegExp(String.raw`\b[245]\d\d[ -]${enhancedCode}`),
];

/** @returns e.g. `5.1.1` (RFC 3463), if the text has such a code where servers write it */
export function findEnhancedCode(code: number, text: string): string | null {
  for (const place of places) {
    const enhanced = place.exec(text)?.[1];
    // RFC 2034 section 4: its class must match the reply's. Otherwise it is something else, such as part of an IP address.
    if (enhanced?.startsWith(String(Math.floor(code / 100))) === true) return enhanced;
  }
  return null;
}
