import { AppError } from '../../../errors/app-error.ts';
import { RATE_LIMITED } from '../../../errors/platform-errors.ts';
import { shareBytes } from '../../../memory/shares.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { ThreadBusyError } from '../../../threads/shared-thread.ts';
import { type FormForSubmission, getDefinition } from './queries.ts';
import type { CheckResult } from './rules/form-checker.ts';
import { FormEngine } from './rules/form-engine.ts';

/** The engine of a process: compiled forms by version, and the thread for forms that need the full model. */
const formEngine = oncePerPlatform((platform: Platform) => {
  const engine = new FormEngine({
    cacheBytes: shareBytes(platform, 'formCache'),
    matchPatterns: (tenantId, patterns) => patterns.settle(platform, tenantId),
  });
  platform.onClose(() => engine.close());
  return engine;
});

/** Retry-After when the full model is busy: about the time its queue takes. */
const RETRY_SECONDS = 10;

/**
 * Validates answers against the current form, with the engine that renders it. The result excludes answers that the
 * visitor could not see; issues are in the language of `locale`, otherwise in English. Expressions use
 * the time of `timeZone`; without one, adjacent days are accepted, too.
 * @throws AppError RATE_LIMITED if the form needs the full model and too many submissions wait for it.
 */
export async function checkAnswers(
  platform: Platform,
  db: ScopedDb,
  form: FormForSubmission,
  answers: Readonly<Record<string, unknown>>,
  locale?: string,
  timeZone?: string,
): Promise<CheckResult> {
  const { code, version } = form;
  try {
    const load = () => getDefinition(db, form);
    const formVersion = { tenantId: db.tenantId, code, version };
    return await formEngine(platform).check(formVersion, load, answers, locale, timeZone);
  } catch (error) {
    if (!(error instanceof ThreadBusyError)) throw error;
    throw new AppError(RATE_LIMITED, {
      message: 'Too many submissions are waiting to be checked. Try again later.',
      retryAfterSeconds: RETRY_SECONDS,
      cause: error,
    });
  }
}
