/** What callers can make the platform keep for a while: how long, and how many bytes of one tenant. */
import type { Config } from '../config.ts';

const DAY_HOURS = 24;

/** A kind of rows that callers cause and nobody deletes before they expire. */
export interface StoredKind {
  /** The name in the database and in `/metrics`. */
  readonly name: string;
  /** What callers call it. */
  readonly what: string;
  /** Rows made within one bucket of so many hours are counted together. */
  readonly bucketHours: number;
  /** How long rows are kept, counted from when they were made. */
  readonly keptHours: number;
  /** The quota of one tenant, bytes. */
  readonly quota: (config: Pick<Config, 'idempotencyAnswersMib' | 'automationInputsMib'>) => number;
}

const MIB = 1024 * 1024;

/** Answers that are repeated for an Idempotency-Key. Beyond the quota only notes of the calls are stored. */
export const IDEMPOTENCY_ANSWERS: StoredKind = {
  name: 'idempotency_answers',
  what: 'stored answers',
  bucketHours: 1,
  keptHours: DAY_HOURS,
  quota: ({ idempotencyAnswersMib }) => idempotencyAnswersMib * MIB,
};

/** Inputs and results of automation runs. Beyond the quota no further run is begun by a hook or by hand. */
export const AUTOMATION_INPUTS: StoredKind = {
  name: 'automation_inputs',
  what: 'inputs and results of automation runs',
  bucketHours: DAY_HOURS,
  keptHours: 30 * DAY_HOURS,
  quota: ({ automationInputsMib }) => automationInputsMib * MIB,
};

/** Messages of queues that nobody handles yet. Beyond the quota none is published. */
export const WAITING_MESSAGES: StoredKind = {
  name: 'waiting_messages',
  what: 'messages that wait in queues',
  bucketHours: DAY_HOURS,
  keptHours: 7 * DAY_HOURS,
  quota: AUTOMATION_INPUTS.quota,
};

/** Files of exports. Beyond the quota none is accepted. */
export const EXPORT_FILES: StoredKind = {
  name: 'export_files',
  what: 'files of exports',
  bucketHours: DAY_HOURS,
  keptHours: 8 * DAY_HOURS,
  quota: () => 4096 * MIB,
};

/** Preview snapshots of documents. Beyond the quota none is taken. */
export const PREVIEW_SNAPSHOTS: StoredKind = {
  name: 'preview_snapshots',
  what: 'preview snapshots',
  bucketHours: 1,
  keptHours: DAY_HOURS,
  quota: () => 2048 * MIB,
};
