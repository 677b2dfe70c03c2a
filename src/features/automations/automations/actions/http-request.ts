import { currentCause } from '../../../../db/work-kind.ts';
import { ActionFailure, type ActionResult, defineActionType } from '../../../../flows/action-type.ts';
import { chainHeaders } from '../../../../flows/chain.ts';
import { type HttpAnswer, HttpCall, makeHttpCall } from '../../../../flows/http-call.ts';
import { parseTarget } from '../../../../outbound/target-policy.ts';

/** Calls a URL. A response that is not 2xx fails the action but is still stored as its result. */
export const httpRequestAction = defineActionType({
  key: 'httpRequest',
  name: 'HTTP request',
  description:
    'Sends an HTTP request. A response status other than 2xx fails the action. All attempts of one action send the same `Idempotency-Key`. Result: `{status, headers, body}`.',
  params: HttpCall,
  check: ({ url }) => {
    const target = parseTarget(url);
    return typeof target === 'string' ? [{ field: 'url', message: target }] : [];
  },
  call: async ({ platform, db, idempotencyKey, timeoutMs, openSecret }, params) => {
    const chain = chainHeaders(platform, currentCause(db.tenantId));
    const called = await makeHttpCall(platform.outbound, params, {
      ...{ idempotencyKey, timeoutMs, chain, openSecret },
    });
    if (called.ok) return resultOf(called.answer);
    const { error, answer, isLasting = false } = called;
    const isFinal = called.isFinal || isLasting || (answer !== null && refusesRequest(answer.status));
    throw new ActionFailure(error, { isFinal, result: answer && resultOf(answer) });
  },
  preview: async ({ platform }, { url }) => {
    const refusal = await platform.outbound.checkTarget(url);
    if (refusal !== null) throw new ActionFailure(`params.url ${refusal}`, { isFinal: true });
    // The response of the receiver is unknown in a dry run.
    return { status: null, headers: {}, body: null };
  },
});

/** Statuses that reject the request itself; a retry would get the same response. */
const REFUSALS: readonly number[] = [400, 405, 406, 411, 413, 414, 415, 422, 431, 501, 505];

/** True for these statuses and for redirects, which are not followed. */
function refusesRequest(status: number): boolean {
  return (status >= 300 && status < 400) || REFUSALS.includes(status);
}

function resultOf({ status, headers, body }: HttpAnswer): ActionResult {
  return { status, headers, body };
}
