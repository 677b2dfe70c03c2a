import { stdout } from 'node:process';
import { type Logger, pino, stdTimeFunctions } from 'pino';

/** Fields omitted from readable lines. */
const OMITTED = new Set(['level', 'time', 'pid', 'hostname', 'event', 'msg']);

/**
 * Creates the log of the process: JSON lines with ISO times, or readable lines on a terminal.
 * @param level the lowest severity to log.
 */
export function createLog(level: string, isTerminal: boolean = stdout.isTTY === true): Logger {
  const options = { level, timestamp: stdTimeFunctions.isoTime };
  if (!isTerminal) return pino(options);
  return pino(options, { write: (line: string) => void stdout.write(toReadable(line)) });
}

/**
 * Converts a JSON line to a readable one (`09:12:33 info process.started url=http://localhost:3000`), with the stack of
 * an error below.
 */
export function toReadable(line: string): string {
  const { err, ...fields }: Record<string, unknown> = JSON.parse(line);
  const shown = Object.entries(fields)
    .filter(([name]) => !OMITTED.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const level = pino.levels.labels[Number(fields.level)] ?? '';
  const event = [fields.event, fields.msg].filter((text) => text !== undefined).join(' ');
  const error = err === undefined ? '' : `\n${stackOf(err)}`;
  return `${[String(fields.time).slice(11, 19), level, event, ...shown].join(' ')}${error}\n`;
}

function stackOf(error: unknown): string {
  const text =
    typeof error === 'object' && error !== null && 'stack' in error ? error.stack : JSON.stringify(error);
  return String(text).replaceAll(/^/gm, '  ');
}
