/** The thread in which patterns of tenants run. Started and stopped by `pattern-thread.ts` only. */
import { serveThread } from '../threads/serve-thread.ts';
import { compileLinearRegex } from './linear-regex.ts';
import type { PatternReply, PatternRequest, PatternResult } from './pattern-thread.ts';

serveThread(({ tasks, deadlineMs }: PatternRequest): PatternReply => {
  const began = process.threadCpuUsage();
  const isOver = () => {
    const { user, system } = process.threadCpuUsage(began);
    return user + system >= deadlineMs * 1000;
  };
  const results: PatternResult[] = [];
  for (const { pattern, ignoreCase, texts } of tasks) {
    if (isOver()) return { results, isComplete: false };
    const regex = compileLinearRegex(pattern, ignoreCase);
    const matches: boolean[] = [];
    results.push({ size: regex?.size ?? null, matches });
    for (const text of texts) {
      if (isOver()) return { results, isComplete: false };
      matches.push(regex?.test(text) ?? false);
    }
  }
  return { results, isComplete: true };
});
