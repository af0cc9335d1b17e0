import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../apps/server/src/testing/find-free-port.ts';
import { testCertificate, testKey } from '../../apps/server/src/testing/smtp-certificate.ts';
import { run } from './programs.ts';

export interface Postfix {
  url: string;
  stop: () => Promise<void>;
}

const templates = { master: '/usr/share/postfix/master.cf.dist', files: '/etc/postfix/postfix-files' };

/**
 * Starts Postfix as a relay on a free port of this machine, with a directory and a queue of its own. It gives up a message after the
 * first attempt, and asks no DNS. Only root may start it.
 * @param routes  ports of this machine to which mail for a domain goes
 * @param login  who may send, after TLS; by default everybody on this machine may
 */
export async function startPostfix(
  routes: Readonly<Record<string, number>>,
  login?: { user: string; password: string },
): Promise<Postfix> {
  const home = await mkdtemp(join(tmpdir(), 'reachout-postfix-'));
  const [etc, queue, data] = ['etc', 'queue', 'data'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  // Its processes run as another user.
  await chmod(home, 0o755);
  for (const directory of [etc, queue, data]) await mkdir(directory, { mode: 0o755 });
  await chown(data, await userId('postfix'), 0);
  const port = await findFreePort();
  await copyFile(templates.files, join(etc, 'postfix-files'));
  await writeFile(join(etc, 'dynamicmaps.cf'), '');
  await writeFile(join(etc, 'main.cf'), '');
  await writeFile(join(etc, 'master.cf'), masterFile(await readFile(templates.master, 'utf8'), port));
  const settings = {
    compatibility_level: '3.6',
    queue_directory: queue,
    data_directory: data,
    maillog_file_prefixes: home,
    maillog_file: join(home, 'log'),
    myhostname: 'relay.test',
    mydestination: '',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    mynetworks: '127.0.0.0/8',
    smtpd_relay_restrictions: `${login === undefined ? 'permit_mynetworks' : 'permit_sasl_authenticated'}, reject`,
    ...(login && (await askFor(login))),
    smtp_host_lookup: 'native',
    smtp_dns_support_level: 'disabled',
    maximal_queue_lifetime: '0',
    bounce_queue_lifetime: '0',
    transport_maps: `inline:{ ${Object.entries(routes)
      .map(([domain, to]) => `{ ${domain} = smtp:[127.0.0.1]:${to} }`)
      .join(' ')} }`,
  };
  const assignments = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await must(await run('postconf', ['-c', etc, '-e', ...assignments], home));
  await must(await run('postfix', ['-c', etc, 'start'], home));
  return {
    url: `smtp://127.0.0.1:${port}`,
    stop: async () => {
      await run('postfix', ['-c', etc, 'stop'], home);
      await rm(home, { recursive: true });
    },
  };

  /** @returns the settings with which it offers TLS, and sign-in after it */
  async function askFor({ user, password }: { user: string; password: string }) {
    const files = ['certificate', 'key', 'passwords'].map((name) => join(home, name));
    const [certificate, key, passwords] = files as [string, string, string];
    await writeFile(certificate, testCertificate);
    await writeFile(key, testKey, { mode: 0o600 });
    // Where Debian has the library look.
    await mkdir(join(etc, 'sasl'));
    await writeFile(
      join(etc, 'sasl', 'smtpd.conf'),
      `pwcheck_method: auxprop\nauxprop_plugin: sasldb\nmech_list: PLAIN LOGIN\nsasldb_path: ${passwords}\n`,
    );
    await must(
      await run('saslpasswd2', ['-p', '-c', '-f', passwords, '-u', 'relay.test', user], home, password),
    );
    await chown(passwords, await userId('postfix'), 0);
    return {
      smtpd_tls_security_level: 'may',
      smtpd_tls_auth_only: 'yes',
      smtpd_tls_cert_file: certificate,
      smtpd_tls_key_file: key,
      smtpd_sasl_auth_enable: 'yes',
      smtpd_sasl_local_domain: 'relay.test',
    };
  }

  async function must({ code, output }: { code: number | null; output: string }): Promise<void> {
    if (code === 0) return;
    await rm(home, { recursive: true });
    throw new Error(`Postfix does not start:\n${output}`);
  }
}

/** Only SMTP on this port, without the pipes to programs, and without a root directory of its own, in which it would miss files. */
function masterFile(template: string, port: number): string {
  const lines = template
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
    .filter((line) => !line.startsWith('#') && line.trim() !== '')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[7] !== 'pipe')
    .map(([name, type, hidden, unprivileged, , ...rest]) =>
      [
        name === 'smtp' && type === 'inet' ? `127.0.0.1:${port}` : name,
        type,
        hidden,
        unprivileged,
        'n',
        ...rest,
      ].join(' '),
    );
  return `${lines.join('\n')}\n`;
}

async function userId(name: string): Promise<number> {
  const users = await readFile('/etc/passwd', 'utf8');
  return Number(
    users
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))!
      .split(':')[2],
  );
}
