/**
 * The engine that automations and journeys share: a definition is compiled into a plan of steps, and a walk visits one step
 * after the other. What a step does is the visitor's: in a run it acts, in a dry run or on a virtual clock it says what it
 * would do. The walk itself knows no database, no clock and no world.
 */

/** What came of one step, and where it leads. `Place` names a step of the plan; null is the end. */
export type StepOutcome<Place, Entry> =
  /** Done; its entry belongs into the story of the run. */
  | { readonly kind: 'done'; readonly entry: Entry; readonly next: Place | null }
  /** Nothing to tell, such as a condition that leads on. */
  | { readonly kind: 'passed'; readonly next: Place | null }
  /** To be visited again at a time, or earlier when something happens. */
  | { readonly kind: 'waiting'; readonly until: Date }
  /** To be visited by a walk of its own, once what came before it is noted. */
  | { readonly kind: 'paused' }
  /** `isFinal`: to try again would not help. */
  | { readonly kind: 'failed'; readonly error: string; readonly isFinal: boolean; readonly entry: Entry }
  /** The walk ends here, whatever comes after. */
  | { readonly kind: 'ended'; readonly entry: Entry };

/** What a walk came to, with the entries of the steps that were done, in their order. */
export type Walked<Place, Entry> = { readonly entries: readonly Entry[] } & (
  | { readonly kind: 'completed' }
  /** By a step that ends it. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'waiting'; readonly place: Place; readonly until: Date }
  /** `entry` tells of the step that failed. */
  | {
      readonly kind: 'failed';
      readonly place: Place;
      readonly error: string;
      readonly isFinal: boolean;
      readonly entry: Entry;
    }
  /** To be gone on with at once: it has taken as many steps as one walk may, or a step asks for a walk of its own. */
  | { readonly kind: 'paused'; readonly place: Place }
);

/** How a walk goes. */
export interface WalkOptions<Place, Entry> {
  /** The first step; null: there is none. */
  readonly from: Place | null;
  readonly visit: (place: Place) => Promise<StepOutcome<Place, Entry>>;
  /** Steps that one walk takes at most. */
  readonly mostSteps: number;
}

/** Visits steps until one waits, fails or ends, or none is left. @throws what a visit throws. */
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
