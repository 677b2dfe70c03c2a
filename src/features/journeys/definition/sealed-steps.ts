import { mergeWritten } from '../../../db/written-json.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import { sealHeaders } from '../../../flows/secret-headers.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import type { Step } from '../schema.ts';

/**
 * Returns steps with their secret headers encrypted for the journey's id. A secret header without a value keeps the
 * value of the stored step with the same key.
 * @throws AppError INVALID_REQUEST naming each header with a missing or invalid value.
 */
export function sealSteps(
  secrets: SecretBox,
  journeyId: string,
  steps: readonly Step[],
  stored: readonly Step[],
): unknown[] {
  const storedHeaders = new Map(
    stored.flatMap((step) => (step.type === 'http_request' ? [[step.key, step.headers]] : [])),
  );
  const sealed = steps.map((step, index) => {
    if (step.type !== 'http_request' || step.headers === undefined) return { step, issues: [] };
    const field = `steps[${index}].headers`;
    const storedStepHeaders = storedHeaders.get(step.key);
    const { headers, issues } = sealHeaders(step.headers, {
      secrets,
      ownerId: journeyId,
      stored: storedStepHeaders,
      field,
    });
    return { step: mergeWritten(step, { headers }), issues };
  });
  const issues = sealed.flatMap((each) => each.issues);
  if (issues.length > 0) throw invalidRequest(issues);
  return sealed.map(({ step }) => step);
}
