/** Imports some hundred modules: called when the first passkey is used, not at every start. */
export const importPasskeyLibrary = () => import('@simplewebauthn/server');
