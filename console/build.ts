/** Builds the console. Skips the build if only the packages of the server are installed. */
if (isInstalled('react')) await import('./build/bundle.ts');
else process.stdout.write('console: not built, as `npm ci --omit=dev` installs only what the server needs\n');

function isInstalled(name: string): boolean {
  try {
    return import.meta.resolve(name) !== '';
  } catch {
    return false;
  }
}
