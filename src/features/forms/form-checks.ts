import { oncePerPlatform, type Platform } from '../../platform.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { type FormForSubmission, getDefinition } from './queries.ts';
import type { CheckResult } from './rules/form-checker.ts';
import { createFormEngine } from './rules/form-engine.ts';

/** The engine of a process: compiled forms by version, and the worker for rare element types. */
const formEngine = oncePerPlatform((platform: Platform) => {
  const engine = createFormEngine();
  platform.onClose(() => engine.close());
  return engine;
});

/**
 * Checks answers against the form as it is now, with the engine that renders it. The result's answers lack what
 * the visitor could not see.
 */
export async function checkAnswers(
  platform: Platform,
  db: ScopedDb,
  form: FormForSubmission,
  answers: Readonly<Record<string, unknown>>,
): Promise<CheckResult> {
  const key = `${db.tenantId}/${form.code}@${form.version}`;
  return formEngine(platform).check(key, () => getDefinition(db, form), answers);
}
