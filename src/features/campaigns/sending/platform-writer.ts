import type { Writer } from '../../../resources/statements.ts';

/** The platform as who writes: what it does by itself, when time has come or work has ended. */
export function platformWriter(db: Writer['db'], now: Date): Writer {
  return { actor: { kind: 'platform' }, db, now };
}
