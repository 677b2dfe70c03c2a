import { isRecord, parseReceipt, type SubmissionReceipt } from '../embed-protocol.ts';
import type { CollectedAnswers } from './answers.ts';
import * as texts from './texts.ts';

/** One fault the service found: `field` names a question, perhaps one inside another (`panel[0].question`). */
export interface AnswerIssue {
  readonly field: string;
  readonly message: string;
}

/** How an attempt to submit ended. Only `accepted` ends the form; the others leave the answers with the visitor. */
export type SubmissionOutcome =
  | { readonly kind: 'accepted'; readonly receipt: SubmissionReceipt }
  | { readonly kind: 'refused'; readonly message: string; readonly issues: readonly AnswerIssue[] }
  | { readonly kind: 'failed'; readonly message: string };

/** After this time a visitor may try again; a connection that hangs must not lock the form. */
const timeoutMs = 30_000;

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function parseIssues(body: unknown): AnswerIssue[] {
  const issues: readonly unknown[] = isRecord(body) && Array.isArray(body.issues) ? body.issues : [];
  return issues.flatMap((issue) => {
    if (!isRecord(issue) || typeof issue.message !== 'string') {
      return [];
    }
    return [{ field: typeof issue.field === 'string' ? issue.field : '', message: issue.message }];
  });
}

async function readOutcome(response: Response): Promise<SubmissionOutcome> {
  const body = await readBody(response);
  if (response.ok) {
    const receipt = parseReceipt(body);
    return receipt === null ? { kind: 'failed', message: texts.notSent } : { kind: 'accepted', receipt };
  }
  if (response.status === 429) {
    return { kind: 'failed', message: texts.tooMany(Number(response.headers.get('retry-after'))) };
  }
  if (response.status === 404) {
    return { kind: 'failed', message: texts.formClosed };
  }
  if (response.status === 413) {
    return { kind: 'failed', message: texts.tooLarge };
  }
  if (response.status >= 400 && response.status < 500) {
    const message = isRecord(body) && typeof body.message === 'string' ? body.message : texts.refused;
    return { kind: 'refused', message, issues: parseIssues(body) };
  }
  return { kind: 'failed', message: texts.notSent };
}

/** What this page last sent, and under which key: the same answers sent again must not be stored twice. */
const lastSent = { body: '', key: '' };

function keyFor(body: string): string {
  if (body !== lastSent.body) {
    lastSent.body = body;
    lastSent.key = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
  }
  return lastSent.key;
}

/**
 * Sends the answers; never rejects. After a failed attempt (a timeout may hide a success) the same answers go out
 * under the same Idempotency-Key.
 *
 * @param url address of the form's submissions
 * @param trap content of the field that only programs fill in
 */
export async function sendAnswers(
  url: string,
  answers: CollectedAnswers,
  trap: string,
): Promise<SubmissionOutcome> {
  const body = JSON.stringify({ ...answers, website: trap });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': keyFor(body),
      },
      body,
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await readOutcome(response);
  } catch {
    return { kind: 'failed', message: texts.notSent };
  }
}
