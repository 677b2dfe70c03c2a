import type { Writer } from '../../../../resources/statements.ts';

/** Writer for changes by the platform itself, such as those of jobs. */
export function platformWriter(db: Writer['db'], now: Date): Writer {
  return { actor: { kind: 'platform' }, db, now };
}
