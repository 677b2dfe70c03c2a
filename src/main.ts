#!/usr/bin/env -S node --no-warnings
import './thread-pool.ts';
import { runCommand } from './cli/run.ts';

const exitCode = await runCommand(process.argv.slice(2));
if (exitCode !== null) process.exit(exitCode);
