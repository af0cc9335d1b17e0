import { statement, type PipelinedDatabase } from '../../platform/database/pipelined.ts';

export async function isBounceHost(db: PipelinedDatabase, host: string): Promise<boolean> {
  const [row] = await db.statement({ ...isBounceHostText, values: [host] });
  return (row as { is_bounce_host: boolean }).is_bounce_host;
}

const isBounceHostText = statement('is_bounce_host')`select is_bounce_host($1)`;
