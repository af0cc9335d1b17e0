import { createHmac, randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorName } from './error-name.ts';
import { InvalidConfig, invalidSettings } from './invalid-config.ts';

/**
 * The key of the installation, from which all others are derived.
 * @param given  SECRET_KEY; if undefined, the key that is stored in `dataDir`
 * @throws InvalidConfig if it is a placeholder, or the stored one is damaged
 */
export const readSecretKey = (given: string | undefined, dataDir: string): string =>
  given === undefined ? storedSecret(dataDir) : checkSecret(given);

/** Derives a separate key for each purpose: a signature or ciphertext of one is not valid for another. */
export const deriveKey = (secretKey: string, purpose: string): Buffer =>
  createHmac('sha256', secretKey).update(`reachout/${purpose}`).digest();

/** Reads the stored key, used without SECRET_KEY. The first start creates a random one that only its owner can read. */
function storedSecret(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw invalidSettings([`DATA_DIR: must be a folder that can be written (${errorName(error)})`]);
  }
  if (!existsSync(file)) {
    // Written to a temporary file, then linked: no process reads a partial key, and one of several starting ones wins.
    const aside = `${file}.${process.pid}`;
    writeFileSync(aside, randomBytes(48).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(aside, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(aside);
    }
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) {
    throw new InvalidConfig(
      `The secret key in ${file} is damaged. Bring it back from a backup: links in messages that were sent are signed with it. Without one, delete the file; a new key is made then.`,
    );
  }
  return secret;
}

function checkSecret(secret: string): string {
  const distinct = new Set(secret).size;
  if (secret.length < 32 || distinct < 10 || /change.?me|placeholder|secret.?key|example/i.test(secret)) {
    throw invalidSettings([
      'SECRET_KEY: must be at least 32 random characters, not a placeholder (for example from: openssl rand -base64 48)',
    ]);
  }
  return secret;
}
