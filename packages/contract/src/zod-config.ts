import { config } from 'zod';

// The pages of the web app run no code that is made of text: the attempt alone would be reported as a violation. Modules
// that make schemas import this before all others.
if ('document' in globalThis) config({ jitless: true });
