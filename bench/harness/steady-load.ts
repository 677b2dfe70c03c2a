/** Load at a fixed rate. */
import { Pool } from 'undici';
import { submissionBody } from './sample-tenant.ts';

const SUBMISSIONS_PER_SECOND = 40;
const READS_PER_SECOND = 80;
const TICK_MS = 50;

/** Sends 40 submissions and 80 reads per second, however long responses take. `stop` throws the first error. */
export function startSteadyLoad(url: string, apiKey: string, formCode: string) {
  const pool = new Pool(url, { connections: 32 });
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const sent = { submissions: 0, reads: 0 };
  const underWay = new Set<Promise<void>>();
  let failure: unknown = null;
  const call = (method: 'GET' | 'POST', path: string, body?: string): void => {
    const answered = pool
      .request({ method, path, headers, body: body ?? null })
      .then(async (answer) => {
        if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
        await answer.body.dump();
      })
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
  };
  const body = submissionBody(formCode);
  const begun = performance.now();
  const timer = setInterval(() => {
    const elapsedSeconds = (performance.now() - begun) / 1000;
    for (; sent.submissions < elapsedSeconds * SUBMISSIONS_PER_SECOND; sent.submissions += 1)
      call('POST', '/api/form_submissions', body);
    for (; sent.reads < elapsedSeconds * READS_PER_SECOND; sent.reads += 1)
      call('GET', `/api/forms/${formCode}`);
  }, TICK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      await pool.close();
      if (failure !== null) throw failure;
      return sent;
    },
  };
}
