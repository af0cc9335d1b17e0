import { trustedTypes } from './trusted-types.ts';

const policy = trustedTypes()?.createPolicy('worker', {
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError('Not a file of the app.');
    return url;
  },
});

/** Starts a worker from a file of the app. */
export const createWorker = (url: string): Worker =>
  new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' });
