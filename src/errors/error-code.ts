/** Returns the `code` that errors of Node, PostgreSQL and most libraries have; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
