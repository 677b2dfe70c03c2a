#!/usr/bin/env -S node --no-warnings --env-file-if-exists=.env
import './compile-cache.ts';
import './process-memory.ts';
import './stop-request.ts';
import './thread-pool.ts';

// Not before the process has its memory set: one that is replaced need not have read all code.
const { runCommand } = await import('./cli/run.ts');
const exitCode = await runCommand(process.argv.slice(2));
if (exitCode !== null) process.exit(exitCode);
