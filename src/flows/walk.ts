/**
 * The engine shared by automations and journeys: a definition is compiled into a plan of steps, and a walk visits one
 * step after the other. The visitor runs the step, or reports what it would do in a dry run or simulation. The walk
 * itself uses no database, clock or network.
 */

/** The result of a step, and the next step. `Position` names a step of the plan; null is the end. */
export type StepOutcome<Position, Entry> =
  /** Done; the entry belongs to the run's log. */
  | { readonly kind: 'done'; readonly entry: Entry; readonly next: Position | null }
  /** Done without an entry, such as a condition. */
  | { readonly kind: 'passed'; readonly next: Position | null }
  /** Must be visited again at a time, or earlier on an event. */
  | { readonly kind: 'waiting'; readonly until: Date }
  /** Must be visited by a separate walk, after earlier results are stored. */
  | { readonly kind: 'paused' }
  /** `isFinal`: a retry would not help. */
  | { readonly kind: 'failed'; readonly error: string; readonly isFinal: boolean; readonly entry: Entry }
  /** Ends the walk, even if steps follow. */
  | { readonly kind: 'ended'; readonly entry: Entry };

/** The result of a walk, with the entries of completed steps in order. */
export type WalkResult<Position, Entry> = { readonly entries: readonly Entry[] } & (
  | { readonly kind: 'completed' }
  /** A step ended it. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'waiting'; readonly position: Position; readonly until: Date }
  /** `entry` describes the failed step. */
  | {
      readonly kind: 'failed';
      readonly position: Position;
      readonly error: string;
      readonly isFinal: boolean;
      readonly entry: Entry;
    }
  /** Must continue at once: it reached the maximum steps of one walk, or a step needs a separate walk. */
  | { readonly kind: 'paused'; readonly position: Position }
);

/** Options of a walk. */
export interface WalkOptions<Position, Entry> {
  /** The first step; null if there is none. */
  readonly from: Position | null;
  readonly visit: (position: Position) => Promise<StepOutcome<Position, Entry>>;
  /** Maximum number of steps of one walk. */
  readonly maxSteps: number;
}

/** Visits steps until one waits, fails or ends, or none is left. @throws errors of a visit. */
export async function walk<Position, Entry>({
  from,
  visit,
  maxSteps,
}: WalkOptions<Position, Entry>): Promise<WalkResult<Position, Entry>> {
  const entries: Entry[] = [];
  let position = from;
  for (let steps = 0; position !== null; steps += 1) {
    if (steps === maxSteps) return { kind: 'paused', position, entries };
    const outcome: StepOutcome<Position, Entry> = await visit(position);
    if (outcome.kind === 'waiting' || outcome.kind === 'paused') return { ...outcome, position, entries };
    if (outcome.kind === 'failed') return { ...outcome, position, entries };
    if (outcome.kind === 'passed') {
      position = outcome.next;
      continue;
    }
    entries.push(outcome.entry);
    if (outcome.kind === 'ended') return { kind: 'ended', entries };
    position = outcome.next;
  }
  return { kind: 'completed', entries };
}
