/** More than a page shows; each logo has at most 20 kB. */
const maxKnown = 200;

/** The file at a URL never changes. */
const known = new Map<string, string>();

/** @param logos  small logos in a response, as `data:` URLs by their URL, so that they need no requests */
export function rememberLogos(logos: Record<string, string>): void {
  for (const [address, logo] of Object.entries(logos)) {
    if (known.size >= maxKnown) known.clear();
    known.set(address, logo);
  }
}

export const knownLogo = (address: string): string => known.get(address) ?? address;
