import type { PageTexts } from '../../src/features/forms/embed/page-texts.ts';
import { parseReceipt, type SubmissionReceipt } from '../embed-protocol.ts';
import { isRecord } from '../is-record.ts';
import { proveWork } from './challenge.ts';

/** The body of `POST /embed/{public_code}/submissions` without the honeypot field. */
export interface CollectedAnswers {
  readonly email_address: string;
  readonly form_data: Readonly<Record<string, unknown>>;
}

/** An error from the service. `field` names a question, possibly a nested one (`panel[0].question`). */
export interface AnswerIssue {
  readonly field: string;
  readonly message: string;
}

/** Outcome of an attempt to submit. Only `accepted` ends the form; otherwise the visitor can try again. */
export type SubmissionOutcome =
  | { readonly kind: 'accepted'; readonly receipt: SubmissionReceipt }
  | { readonly kind: 'refused'; readonly message: string; readonly issues: readonly AnswerIssue[] }
  | { readonly kind: 'failed'; readonly message: string };

/** Time in ms after which a visitor may try again, so that a hanging connection does not lock the form. */
const timeoutMs = 30_000;

function parseIssues(body: unknown): AnswerIssue[] {
  const issues: readonly unknown[] = isRecord(body) && Array.isArray(body.issues) ? body.issues : [];
  return issues.flatMap((issue) => {
    if (!isRecord(issue) || typeof issue.message !== 'string') return [];
    return [{ field: typeof issue.field === 'string' ? issue.field : '', message: issue.message }];
  });
}

/** Messages by response status, for statuses that say more to a visitor than the body. */
const failures: Readonly<Record<number, (response: Response, texts: PageTexts) => string>> = {
  404: (_response, texts) => texts.formClosed,
  413: (_response, texts) => texts.tooLarge,
  429: ({ headers }, texts) => {
    const seconds = Number(headers.get('retry-after'));
    return texts.tooMany.replace('{seconds}', String(seconds > 0 ? Math.ceil(seconds) : 60));
  },
};

async function readOutcome(response: Response, texts: PageTexts): Promise<SubmissionOutcome> {
  const failure = failures[response.status]?.(response, texts);
  if (failure !== undefined) return { kind: 'failed', message: failure };
  const body: unknown = await response.json().catch(() => null);
  const receipt = response.ok ? parseReceipt(body) : null;
  if (receipt !== null) return { kind: 'accepted', receipt };
  if (response.status < 400 || response.status >= 500) return { kind: 'failed', message: texts.notSent };
  const isUnproved = isRecord(body) && body.code === 'CHALLENGE_REQUIRED';
  const message = isUnproved ? texts.unproved : texts.refused;
  return { kind: 'refused', message, issues: parseIssues(body) };
}

/** The last sent answers and their idempotency key, so that repeated answers are stored only once. */
const lastSent = { body: '', key: '' };

function keyFor(body: string): string {
  if (body !== lastSent.body) {
    lastSent.body = body;
    lastSent.key = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
  }
  return lastSent.key;
}

/**
 * Sends the answers; never rejects. A retry of the same answers uses the same Idempotency-Key, because a timeout may
 * hide a success.
 *
 * @param url URL of the form's submissions, with the language of the response
 * @param trap value of the honeypot field, which only bots fill in
 * @param texts texts in the visitor's language
 * @param challengeUrl URL of the challenge; null if the form requires none
 */
export async function sendAnswers(
  url: string,
  answers: CollectedAnswers,
  trap: string,
  texts: PageTexts,
  challengeUrl: string | null = null,
): Promise<SubmissionOutcome> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const body = JSON.stringify({ ...answers, time_zone: timeZone, website: trap });
  try {
    const proof = challengeUrl === null ? null : await proveWork(challengeUrl);
    if (proof instanceof Response) return await readOutcome(proof, texts);
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': keyFor(body),
        ...(proof !== null && { 'tessera-challenge': proof }),
      },
      body,
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await readOutcome(response, texts);
  } catch {
    return { kind: 'failed', message: texts.notSent };
  }
}
