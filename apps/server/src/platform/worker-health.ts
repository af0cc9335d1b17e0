/** What a worker says of itself. */
export interface WorkerHealth {
  /** It holds the lock by which others see that it lives. Without it, nothing may be taken. */
  has_heartbeat: boolean;
  /** When it last looked for each kind of its work, and could: the earliest of these times. ISO 8601; null before both have been. */
  last_look_at: string | null;
}

/** The end of a worker's process that nobody asked for; without code and signal, it could not be started. */
export interface WorkerDeath {
  /** ISO 8601. */
  at: string;
  code: number | null;
  signal: string | null;
}

/** What the process knows that runs a worker. */
export interface WorkerReport extends WorkerHealth {
  restarts: number;
  last_death: WorkerDeath | null;
}

/** A look for work that waits for the database gives up after 10 s. */
const longestSilenceMs = 30_000;

/** Whether a worker takes what is due. */
export const isWorking = ({ has_heartbeat, last_look_at }: WorkerHealth, now = Date.now()): boolean =>
  has_heartbeat && last_look_at !== null && now - Date.parse(last_look_at) < longestSilenceMs;
