/** The `code` by which Node, PostgreSQL and most libraries tell their errors apart; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
