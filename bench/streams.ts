import { request } from 'undici';
import { createClient } from '../test/harness/client.ts';
import { eventsIn } from '../test/harness/server-events.ts';
import { startProgram, startTessera } from './harness/children.ts';
import type { Bench } from './harness/options.ts';
import { createSampleAi, headersOf } from './harness/sample-ai.ts';

const STREAMS = 200;
const CHUNKS = 50;
const PAUSE_MS = 100;
/** Maximum median delay of a piece between the provider and the client, in ms. */
const DELAY_AIM_MS = 5;
const MEMORY_AIM_MIB = 100;

/** 200 concurrent streamed answers: the delay that Tessera adds to each piece, and the memory that it needs. */
export const streams: Bench = async (kind, options, onEnd) => {
  const sample = await createSampleAi(kind, onEnd);
  const pace = { CHUNKS: String(CHUNKS), PAUSE_MS: String(PAUSE_MS) };
  const provider = await startProgram('limits/model-provider.ts', pace);
  onEnd(provider.stop);
  const tessera = await startTessera({ ...sample.database.env, LLM_BASE_URL: provider.url }, options);
  onEnd(tessera.stop);
  const api = createClient(tessera.url, headersOf(sample));
  const threadIds: string[] = [];
  for (let made = 0; made < STREAMS; made += 1) {
    const created_at = '2026-01-01T00:00:00Z';
    const body = { version: 0, created_at, assistant_id: sample.assistantId, user_id: 'u', messages: [] };
    threadIds.push((await api.post('/api/ai/threads', body)).body.id);
  }
  const headers = { ...headersOf(sample), accept: 'text/event-stream' };
  const body = JSON.stringify({ message: 'Measured?' });
  const direct = await delaysOf(threadIds.map(() => ({ url: `${provider.url}/v1/messages`, headers, body })));
  const before = await tessera.residentMebibytes();
  const cpuBefore = await tessera.cpuSeconds();
  let viaTessera: number[] = [];
  const peak = await tessera.peakMebibytes(async () => {
    const replies = threadIds.map((id) => ({
      url: `${tessera.url}/api/ai/threads/${id}/reply`,
      headers,
      body,
    }));
    viaTessera = await delaysOf(replies);
  });
  const added = median(viaTessera) - median(direct);
  const growth = peak - before;
  const cpuMicros = (((await tessera.cpuSeconds()) - cpuBefore) * 1e6) / viaTessera.length;
  const isReached = added < DELAY_AIM_MS && growth < MEMORY_AIM_MIB && viaTessera.length === STREAMS * CHUNKS;
  console.log(
    `streams (${kind}): ${viaTessera.length} pieces of ${STREAMS} answers; delay at the median ${median(viaTessera).toFixed(1)} ms, direct from the ` +
      `provider ${median(direct).toFixed(1)}, added ${added.toFixed(1)} (aim under ${DELAY_AIM_MS}); server CPU per piece ${cpuMicros.toFixed(0)} us; memory ${growth.toFixed(0)} MiB more at its most ` +
      `(aim under ${MEMORY_AIM_MIB})${isReached ? '' : ', MISSED'}`,
  );
  return isReached;
};

interface StreamRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Requests these answers concurrently and returns the delay of each piece in ms. */
async function delaysOf(requests: readonly StreamRequest[]): Promise<number[]> {
  const all = await Promise.all(
    requests.map(async ({ url, headers, body }) => {
      const delays: number[] = [];
      const answer = await request(url, { method: 'POST', headers, body });
      let rest = '';
      for await (const chunk of answer.body.setEncoding('utf8')) {
        const now = performance.timeOrigin + performance.now();
        const frames = (rest + chunk).split('\n\n');
        rest = frames.pop() ?? '';
        for (const { event, data } of eventsIn(frames.join('\n\n'))) {
          const isDelta = event === 'delta' || event === 'content_block_delta';
          if (isDelta) delays.push(now - Number(data.text ?? data.delta.text));
        }
      }
      return delays;
    }),
  );
  return all.flat();
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
