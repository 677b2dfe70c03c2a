/** Thrown while compiling a form that only survey-core's full model can check. */
export class NotCompilableError extends Error {
  constructor(reason: string) {
    super(`the form needs the full model: ${reason}`);
    this.name = 'NotCompilableError';
  }
}
