/**
 * The engine shared by automations and journeys: a definition is compiled into a plan of steps, and a walk visits one
 * step after the other. The visitor runs the step, or in a dry run or simulation says what it would do. The walk itself
 * uses no database, clock or network.
 */

/** The result of a step, and the next step. `Place` names a step of the plan; null is the end. */
export type StepOutcome<Place, Entry> =
  /** Done; the entry belongs to the run's log. */
  | { readonly kind: 'done'; readonly entry: Entry; readonly next: Place | null }
  /** Nothing to log, such as a condition that leads on. */
  | { readonly kind: 'passed'; readonly next: Place | null }
  /** To be visited again at a time, or earlier on an event. */
  | { readonly kind: 'waiting'; readonly until: Date }
  /** To be visited by a separate walk, once earlier results are stored. */
  | { readonly kind: 'paused' }
  /** `isFinal`: a retry would not help. */
  | { readonly kind: 'failed'; readonly error: string; readonly isFinal: boolean; readonly entry: Entry }
  /** The walk ends here, whatever follows. */
  | { readonly kind: 'ended'; readonly entry: Entry };

/** The result of a walk, with the entries of completed steps in order. */
export type Walked<Place, Entry> = { readonly entries: readonly Entry[] } & (
  | { readonly kind: 'completed' }
  /** A step ended it. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'waiting'; readonly place: Place; readonly until: Date }
  /** `entry` describes the failed step. */
  | {
      readonly kind: 'failed';
      readonly place: Place;
      readonly error: string;
      readonly isFinal: boolean;
      readonly entry: Entry;
    }
  /** To be continued at once: it reached the most steps of one walk, or a step needs a separate walk. */
  | { readonly kind: 'paused'; readonly place: Place }
);

/** Options of a walk. */
export interface WalkOptions<Place, Entry> {
  /** The first step; null if there is none. */
  readonly from: Place | null;
  readonly visit: (place: Place) => Promise<StepOutcome<Place, Entry>>;
  /** The most steps of one walk. */
  readonly mostSteps: number;
}

/** Visits steps until one waits, fails or ends, or none is left. @throws errors of a visit. */
export async function walk<Place, Entry>({
  from,
  visit,
  mostSteps,
}: WalkOptions<Place, Entry>): Promise<Walked<Place, Entry>> {
  const entries: Entry[] = [];
  let place = from;
  for (let steps = 0; place !== null; steps += 1) {
    if (steps === mostSteps) return { kind: 'paused', place, entries };
    const outcome: StepOutcome<Place, Entry> = await visit(place);
    if (outcome.kind === 'waiting' || outcome.kind === 'paused') return { ...outcome, place, entries };
    if (outcome.kind === 'failed') return { ...outcome, place, entries };
    if (outcome.kind === 'passed') {
      place = outcome.next;
      continue;
    }
    entries.push(outcome.entry);
    if (outcome.kind === 'ended') return { kind: 'ended', entries };
    place = outcome.next;
  }
  return { kind: 'completed', entries };
}
