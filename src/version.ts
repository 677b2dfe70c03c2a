import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tessera's version, from package.json. */
export const version: string = readVersion();

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) return String(parsed.version);
  throw new Error('package.json has no version.');
}
