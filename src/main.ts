/** The program. `bin/tessera` starts it with memory settings that count only before Node runs. */
import './compile-cache.ts';
import './stop-request.ts';
import './thread-pool.ts';

// Imported after the compile cache is enabled, so that this code comes from it.
const { runCommand } = await import('./cli/run.ts');
const exitCode = await runCommand(process.argv.slice(2));
if (exitCode !== null) process.exit(exitCode);
