/** More than one page shows; each has at most 20 kB. */
const maxKnown = 200;

/** A file never changes under its address. */
const known = new Map<string, string>();

/** @param logos  small ones that came with a response, as `data:` URLs by their address: nobody has to ask for each */
export function rememberLogos(logos: Record<string, string>): void {
  for (const [address, logo] of Object.entries(logos)) {
    if (known.size >= maxKnown) known.clear();
    known.set(address, logo);
  }
}

export const knownLogo = (address: string): string => known.get(address) ?? address;
