/** Thrown while compiling a form, or checking answers, that only survey-core's full model can check. */
export class NotCompilableError extends Error {
  constructor(reason: string) {
    super(`the full model is needed: ${reason}`);
    this.name = 'NotCompilableError';
  }
}
