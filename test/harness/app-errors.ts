/** The last errors that the apps of this process have logged, so that a test that gets a 500 shows what is behind it. */

const KEPT = 50;
const lines: string[] = [];

/** Where the app of a test logs: it keeps the last lines, and prints them where TEST_LOG_LEVEL is set. */
export const errorLog = {
  write(line: string): void {
    lines.push(line);
    if (lines.length > KEPT) lines.shift();
    if (process.env.TEST_LOG_LEVEL !== undefined) process.stderr.write(line);
  },
};

/** Returns what was logged about the request that got this answer: an unexpected error names its request. */
export function errorsBehind(answer: { readonly text: string }): string {
  return lines
    .filter((line) => {
      const { requestId } = JSON.parse(line);
      return typeof requestId === 'string' && answer.text.includes(requestId);
    })
    .join('');
}
