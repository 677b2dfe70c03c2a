#!/usr/bin/env -S node --no-warnings --env-file-if-exists=.env
import './compile-cache.ts';
import './process-memory.ts';
import './stop-request.ts';
import './thread-pool.ts';

// Import the code only after the memory settings: a process that replaces itself need not load it.
const { runCommand } = await import('./cli/run.ts');
const exitCode = await runCommand(process.argv.slice(2));
if (exitCode !== null) process.exit(exitCode);
