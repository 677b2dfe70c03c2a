import { invalidRequest } from '../../../errors/platform-errors.ts';
import { sealHeaders } from '../../../flows/secret-headers.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import type { Step } from '../schema.ts';

/**
 * Returns steps with their secret headers sealed under the journey's id. A step keeps the secret values it leaves out from the
 * stored step of the same key.
 * @throws AppError INVALID_REQUEST naming each header that has no value, or a wrong one.
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
    const known = storedHeaders.get(step.key);
    const { headers, issues } = sealHeaders(step.headers, {
      secrets,
      ownerId: journeyId,
      stored: known,
      field,
    });
    return { step: { ...step, headers }, issues };
  });
  const issues = sealed.flatMap((each) => each.issues);
  if (issues.length > 0) throw invalidRequest(issues);
  return sealed.map(({ step }) => step);
}
