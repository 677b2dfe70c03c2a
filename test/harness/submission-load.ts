import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Client } from './client.ts';
import { goodAnswers } from './sample-forms.ts';

/** Number and concurrency of submissions. */
export interface LoadOptions {
  readonly count: number;
  readonly concurrency: number;
  /** Called after each accepted submission with their number so far. */
  readonly onAccepted?: (accepted: number) => void;
}

/** Results of submissions. */
export interface LoadResult {
  /** Ids that were acknowledged with a 200. */
  readonly accepted: ReadonlySet<string>;
  /** Answers other than 200. */
  readonly refused: readonly Answer[];
  /** Requests that got no answer. */
  readonly failed: number;
}

/** Submits valid answers `count` times with this concurrency; a request without a response ends its worker. */
export async function submitMany(
  api: Client,
  formCode: string,
  { count, concurrency, onAccepted }: LoadOptions,
): Promise<LoadResult> {
  const accepted = new Set<string>();
  const refused: Answer[] = [];
  let failed = 0;
  let started = 0;
  const lane = async (): Promise<void> => {
    while (started < count) {
      const number = started++;
      const body = { form_code: formCode, email_address: `n${number}@example.com`, form_data: goodAnswers };
      const answer = await api.send('POST', '/api/form_submissions', { body }).catch(() => null);
      if (answer === null) {
        failed += 1;
        return;
      }
      if (answer.status === 200) {
        accepted.add(answer.body.submission_id);
        onAccepted?.(accepted.size);
      } else {
        refused.push(answer);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return { accepted, refused, failed };
}

/** Pause between two submissions of a stream in ms, so that several streams do not overload the machine. */
const STREAM_PAUSE_MS = 25;

/** A continuous stream of submissions. */
export interface SubmissionStream {
  /** Ids of submissions accepted with a 200 so far. */
  readonly accepted: ReadonlySet<string>;
  /** Answers other than 200. */
  readonly refused: readonly Answer[];
  /** Requests that got no answer. */
  readonly failed: number;
  /** Stops the stream and waits for the last response. */
  stop(): Promise<void>;
}

/** Submits valid answers until it is stopped or the test ends, also after errors. */
export function streamSubmissions(api: Client, formCode: string): SubmissionStream {
  const accepted = new Set<string>();
  const refused: Answer[] = [];
  let failed = 0;
  let isStopped = false;
  const send = async () => {
    while (!isStopped) {
      const result = await submitMany(api, formCode, { count: 1, concurrency: 1 });
      for (const id of result.accepted) accepted.add(id);
      refused.push(...result.refused);
      failed += result.failed;
      await pause(STREAM_PAUSE_MS);
    }
  };
  const ended = send();
  after(() => {
    isStopped = true;
  });
  return {
    accepted,
    refused,
    get failed() {
      return failed;
    },
    stop() {
      isStopped = true;
      return ended;
    },
  };
}

/** Lists the ids of all submissions of a form, through the API. */
export async function listSubmissionIds(api: Client, formCode: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let page = 1; ; page++) {
    const filters = { form_code: { operation: 'eq', value: formCode } };
    const { body } = await api.post('/api/form_submissions/list', { page, limit: 100, filters });
    for (const { id } of body.results) ids.add(id);
    if (page >= body.totalPages) {
      assert.equal(ids.size, body.total, 'each submission is on one page of the list');
      return ids;
    }
  }
}

/** Creates a webhook for a form; returns its id. */
export async function createWebhook(
  api: Client,
  formCode: string,
  url: string,
  headers: readonly object[] = [],
): Promise<string> {
  const event = { event_type: 'form.submission', form_code: formCode };
  return (await api.post('/api/webhooks', { event, name: 'Receiver', target: { url, headers } })).body.id;
}
