import { stdout } from 'node:process';
import { type Logger, pino, stdTimeFunctions } from 'pino';

/** Facts of every line that a person does not need. */
const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'event', 'msg']);

/**
 * Where the process says what happens: lines of JSON with ISO times, or on a terminal lines that a person reads.
 * @param level the least severity.
 */
export function createLog(level: string, isTerminal: boolean = stdout.isTTY === true): Logger {
  const options = { level, timestamp: stdTimeFunctions.isoTime };
  if (!isTerminal) return pino(options);
  return pino(options, { write: (line: string) => void stdout.write(toReadable(line)) });
}

/** `09:12:33 info process.started url=http://localhost:3000`, and below it the stack of an error. */
export function toReadable(line: string): string {
  const { err, ...facts }: Record<string, unknown> = JSON.parse(line);
  const shown = Object.entries(facts)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const level = pino.levels.labels[Number(facts.level)] ?? '';
  const what = [facts.event, facts.msg].filter((text) => text !== undefined).join(' ');
  const error = err === undefined ? '' : `\n${stackOf(err)}`;
  return `${[String(facts.time).slice(11, 19), level, what, ...shown].join(' ')}${error}\n`;
}

function stackOf(error: unknown): string {
  const text =
    typeof error === 'object' && error !== null && 'stack' in error ? error.stack : JSON.stringify(error);
  return String(text).replaceAll(/^/gm, '  ');
}
