/** Runs on their way into the ledger: who makes them may begin them, too. */
import { v7 as uuidv7 } from 'uuid';
import type { Claim } from '../../ledger/ledger.ts';
import type { Ledgers } from '../../ledger/ledgers.ts';
import type { ClaimedRun } from './run-queries.ts';
import type { TriggerType } from './schema.ts';

/** Runs that one leads to, one after the other, at most (docs/specification/automations.md#chains). */
export const MAX_CHAIN = 10;
/** Where more are asked for at once, all wait for their turn: room is not taken before the commit, and most would be given back. */
const MAX_BEGUN = 16;
/** How long after it was made a run is known to be of an automation that is active, milliseconds. */
const KNOWN_ACTIVE_MS = 1000;
/** The ledger of runs. */
export const AUTOMATION_RUNS = { name: 'automation-runs', table: 'automation_runs' } as const;

/** A run to be made, where what sets it off is told apart. */
export interface RunFacts {
  /** The automation's id, and its version, with which the run stays. */
  readonly automationId: string;
  readonly version: number;
  readonly triggerType: TriggerType;
  /** The record that has changed, where runs keep to the order of its changes. */
  readonly recordId?: string;
  /** What may come twice and is to set off one run. */
  readonly sourceKey?: string;
  /** The keys of the automations whose runs led to this one, the first one first. */
  readonly chain?: readonly string[];
}

/** A run that is asked for. */
export interface AskedRun {
  readonly id: string;
  readonly facts: RunFacts;
  /** The end of the lease that it has from the beginning, should it wait for no other run of its record; null: it waits for its turn. */
  readonly leasedUntil: Date | null;
}

/** What `tessera_make_runs` says of a run that it has made. */
export interface MadeRun {
  readonly id: string;
  /** Whether it has the lease that was asked for. */
  readonly is_leased: boolean;
}

/** Asks for these runs: those that could only begin one after the other, or that are many, wait for their turn. */
export function askedRuns(ledgers: Ledgers, tenantId: string, runs: readonly RunFacts[]): AskedRun[] {
  const known = new Set<string>();
  const isFew = runs.length <= MAX_BEGUN;
  return runs.map((facts) => {
    const { automationId, recordId = '', chain = [] } = facts;
    const line = `${automationId} ${recordId}`;
    const isFirst = recordId === '' || !known.has(line);
    known.add(line);
    const mayBegin = isFew && isFirst && chain.length < MAX_CHAIN;
    const target = { tenantId, targetId: automationId };
    const leasedUntil = mayBegin ? ledgers.leaseFor(AUTOMATION_RUNS, target) : null;
    return { id: uuidv7(), facts, leasedUntil };
  });
}

/**
 * What `tessera_make_runs` makes runs of: JSON text. `triggers`: what sets each of them off, as JSON texts, which stay as they are;
 * without, that is told apart.
 */
export function toJsonRows(asked: readonly AskedRun[], triggers: readonly string[] | null = null): string {
  const rows = asked.map(({ id, facts, leasedUntil }, place) => {
    const { automationId, version, triggerType, recordId = null, sourceKey = null, chain = [] } = facts;
    const text = JSON.stringify({
      ...{ id, target_id: automationId, automation_version: version, trigger_type: triggerType },
      ...{ record_id: recordId, source_key: sourceKey, chain, leased_until: leasedUntil },
      error: chain.length < MAX_CHAIN ? null : overlongChain(chain),
    });
    return triggers === null ? text : `${text.slice(0, -1)},"trigger":${triggers[place]}}`;
  });
  return `[${rows.join(',')}]`;
}

/**
 * `told` is told the runs that were made, and what set each off as JSON text; `begin`, after the commit, begins those that were made
 * with their leases, and has the others looked for. Of all that was asked for only what leases were asked for is held until then.
 */
export function begunOnceMade(ledgers: Ledgers, tenantId: string, asked: readonly AskedRun[]) {
  const targets = new Set(asked.map(({ facts }) => facts.automationId));
  let leased = asked.flatMap((run, place) => (run.leasedUntil === null ? [] : [{ run, place }]));
  let begun: { readonly run: AskedRun; readonly trigger: string }[] = [];
  let madeAt = 0;
  return {
    told(made: readonly MadeRun[], triggerOf: (place: number) => string): void {
      madeAt = performance.now();
      const own = new Set(made.flatMap(({ id, is_leased }) => (is_leased ? [id] : [])));
      begun = leased.flatMap(({ run, place }) =>
        own.has(run.id) ? [{ run, trigger: triggerOf(place) }] : [],
      );
      leased = [];
      if (begun.length === made.length) targets.clear();
    },
    begin(): void {
      // The transaction may have taken long after it: the automation is looked at again then.
      const isActive = performance.now() - madeAt < KNOWN_ACTIVE_MS;
      const claims = begun.flatMap(({ run, trigger }) => claimsOf(tenantId, run, trigger, isActive));
      ledgers.begin(AUTOMATION_RUNS, claims);
      for (const targetId of targets) ledgers.wake(AUTOMATION_RUNS, { tenantId, targetId });
    },
  };
}

function claimsOf(
  tenantId: string,
  { id, facts: { automationId: targetId, version, chain = [] }, leasedUntil: until }: AskedRun,
  trigger: string,
  isActive: boolean,
): Claim<ClaimedRun>[] {
  if (until === null) return [];
  const row = {
    ...{ automation_version: version, trigger: JSON.parse(trigger), actions: [], chain },
    ...{ started_at: null, left_out: 0, isActive },
  };
  return [{ tenantId, id, targetId, attempts: 0, faults: 0, leasedUntil: until.toISOString(), row }];
}

function overlongChain(chain: readonly string[]): string {
  return `Automations have set each other off more than ${MAX_CHAIN} times in a row: ${chain.join(' > ')}.`;
}
