/** Imports some hundred modules: when the first passkey is used, not at every start. */
export const importPasskeyLibrary = () => import('@simplewebauthn/server');
