/** The thread in which patterns of tenants run. Started and stopped by `pattern-thread.ts` only. */
import { startCpuTimer } from '../threads/cpu-timer.ts';
import { serveThread } from '../threads/serve-thread.ts';
import { compileLinearRegex } from './linear-regex.ts';
import type { PatternReply, PatternRequest, PatternResult } from './pattern-thread.ts';

serveThread(({ tasks, deadlineMs }: PatternRequest): PatternReply => {
  const usedMs = startCpuTimer();
  const results: PatternResult[] = [];
  const reply = (isComplete: boolean): PatternReply => ({ results, isComplete, usedMs: usedMs() });
  for (const { pattern, ignoreCase, texts } of tasks) {
    if (usedMs() >= deadlineMs) return reply(false);
    const regex = compileLinearRegex(pattern, ignoreCase);
    const matches: boolean[] = [];
    results.push({ size: regex?.size ?? null, matches });
    for (const text of texts) {
      if (usedMs() >= deadlineMs) return reply(false);
      matches.push(regex?.test(text) ?? false);
    }
  }
  return reply(true);
});
