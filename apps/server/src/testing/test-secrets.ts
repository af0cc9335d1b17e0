import { createSecrets } from '../platform/secrets.ts';

/** SECRET_KEY of all test apps, so that each can decrypt and look up what builders store. */
export const testSecretKey = 'kR7vQ2mX9tB4nW6zL1pH8sD3fG5jC0yAeUoTiN_h-qE';

export const testSecrets = createSecrets(testSecretKey);
