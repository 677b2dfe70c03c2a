/** The last errors that the apps of this process have logged, so that a test with a 500 can show the cause. */

const MAX_LINES = 50;
const lines: string[] = [];

/** Log destination of test apps: stores the last lines, and prints them if TEST_LOG_LEVEL is set. */
export const errorLog = {
  write(line: string): void {
    lines.push(line);
    if (lines.length > MAX_LINES) lines.shift();
    if (process.env.TEST_LOG_LEVEL !== undefined) process.stderr.write(line);
  },
};

/** Returns the log lines about the request of this response, which contains the request's id. */
export function errorsBehind(answer: { readonly text: string }): string {
  return lines
    .filter((line) => {
      const { requestId } = JSON.parse(line);
      return typeof requestId === 'string' && answer.text.includes(requestId);
    })
    .join('');
}
