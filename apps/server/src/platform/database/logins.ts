import type { DatabaseLogins } from '../config.ts';
import { deriveKey } from '../secret-key.ts';

export interface RolePasswords {
  appPassword: string;
  authPassword: string;
}

export const derivePasswords = (secretKey: string): RolePasswords => ({
  appPassword: deriveKey(secretKey, 'database').toString('base64url'),
  authPassword: deriveKey(secretKey, 'sign-in database').toString('base64url'),
});

/** @param ownerUrl logs in to the same database as its owner */
export const loginsWith = (ownerUrl: string, passwords: RolePasswords): DatabaseLogins => ({
  appUrl: loginAs(ownerUrl, 'reachout_app', passwords.appPassword),
  authUrl: loginAs(ownerUrl, 'reachout_auth', passwords.authPassword),
});

function loginAs(ownerUrl: string, role: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = password;
  return url.href;
}
