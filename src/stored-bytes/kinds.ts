/** Kinds of rows that are stored for a limited time, with their lifetime and quota. */
import type { Config } from '../config.ts';

const DAY_HOURS = 24;

/** A kind of rows that callers create and that only expire. */
export interface StoredKind {
  /** The name in the database and in `/metrics`. */
  readonly name: string;
  /** Name for callers. */
  readonly what: string;
  /** Rows created within one bucket of this length are counted together. */
  readonly bucketHours: number;
  /** Lifetime of rows since their creation. */
  readonly keptHours: number;
  /** The quota of one tenant, bytes. */
  readonly quota: (config: Pick<Config, 'idempotencyAnswersMib' | 'automationInputsMib'>) => number;
}

const MIB = 1024 * 1024;

/** Stored responses for an Idempotency-Key. Beyond the quota only the fact that a call was made is stored. */
export const IDEMPOTENCY_RESPONSES: StoredKind = {
  name: 'idempotency_answers',
  what: 'stored answers',
  bucketHours: 1,
  keptHours: DAY_HOURS,
  quota: ({ idempotencyAnswersMib }) => idempotencyAnswersMib * MIB,
};

/** Inputs and results of automation runs. Beyond the quota, hooks and manual calls start no further run. */
export const AUTOMATION_INPUTS: StoredKind = {
  name: 'automation_inputs',
  what: 'inputs and results of automation runs',
  bucketHours: DAY_HOURS,
  keptHours: 30 * DAY_HOURS,
  quota: ({ automationInputsMib }) => automationInputsMib * MIB,
};

/** Queue messages without a handler. Beyond the quota none is published. */
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

/** Preview snapshots of documents. Beyond the quota none is created. */
export const PREVIEW_SNAPSHOTS: StoredKind = {
  name: 'preview_snapshots',
  what: 'preview snapshots',
  bucketHours: 1,
  keptHours: DAY_HOURS,
  quota: () => 2048 * MIB,
};
